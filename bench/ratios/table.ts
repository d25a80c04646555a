/** A row of the table that `--all` prints. */
export interface TableRow {
  name: string;
  figures: string;
  goal: string;
}

/** Measures the rows that other benchmarks measure. `scale`: the part of their usual sizes. */
export async function measureOtherRows(scale: number): Promise<TableRow[]> {
  const { measureFirstPhrases } = await import('../phrases.ts');
  const { BACKLOG, FAIRNESS_GOAL, measureFairness, SECONDS } = await import('../fairness.ts');
  const { measureTenants, TENANTS_GOAL } = await import('../tenants.ts');
  const size = (count: number) => String(Math.ceil(count * scale));
  const measureWorkspaces = async (active: number, stored: number): Promise<TableRow> => ({
    name: `${size(stored)} workspaces, ${size(active)} of them active`,
    figures: await measureTenants(['--workspaces', size(active), '--stored', size(stored)]),
    goal: TENANTS_GOAL,
  });
  return [
    {
      name: 'first phrases in an idle process',
      figures: measureFirstPhrases('en'),
      goal: '',
    },
    {
      name: `scans with ${size(BACKLOG)} due posts`,
      figures: await measureFairness(['--backlog', size(BACKLOG), '--seconds', size(SECONDS)]),
      goal: FAIRNESS_GOAL,
    },
    await measureWorkspaces(10_000, 10_000),
    await measureWorkspaces(1_000, 100_000),
  ];
}

export function printTable(rows: readonly TableRow[]): void {
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, figures, goal } of rows)
    console.log(`  ${name.padEnd(nameWidth)}  ${figures}${goal && ` (goal: ${goal})`}`);
}
