import { BUDGETS, createBudget } from '../../src/budget.ts';

/** Creates the budget of a table. */
export const createTableBudget = () => createBudget(BUDGETS.table);
