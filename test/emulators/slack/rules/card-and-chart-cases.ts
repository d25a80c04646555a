/** A valid and an invalid view or list of blocks, with the problem of the invalid one. */
export interface Case {
  valid: object;
  invalid: object;
  message: string;
  pointer: string;
}

const body = { type: 'plain_text', text: 'x' };
const createChart = (chart: object) => ({ type: 'data_visualization', title: 'x', chart });
const createPie = (value: number) => createChart({ type: 'pie', segments: [{ label: 'x', value }] });
/** Two bars for each person. */
const createBars = (values: Record<string, unknown[]>) =>
  createChart({
    type: 'bar',
    axis_config: { categories: ['X', 'LinkedIn'] },
    series: Object.entries(values).map(([name, numbers]) => ({
      name,
      data: numbers.map((value, index) => ({ label: ['X', 'LinkedIn'][index], value })),
    })),
  });

/** The rules about cards and charts, with their cases. */
export const CARD_AND_CHART_CASES: Record<string, Case[]> = {
  'a card has a picture, a title, a body or actions': [
    {
      valid: [{ type: 'card', body }],
      invalid: [{ type: 'card', subtitle: body }],
      message: 'must provide at least one of: hero_image, title, actions, body',
      pointer: '/blocks/0',
    },
  ],
  'the values of a chart are numbers': [
    {
      valid: [createBars({ Ana: [1, -2] })],
      invalid: [createBars({ Ana: [1, '2'] })],
      message: 'must provide a number',
      pointer: '/blocks/0/chart/series/0/data/1/value',
    },
    {
      valid: [createPie(1)],
      invalid: [createPie(0)],
      message: 'must be greater than 0',
      pointer: '/blocks/0/chart/segments/0/value',
    },
  ],
  'the series of a chart have different names, and a value for each category': [
    {
      valid: [createBars({ Ana: [1, 2], Ben: [2, 1] })],
      invalid: [createBars({ Ana: [1, 2], Ben: [2] })],
      message: 'must have one data point for each of the categories',
      pointer: '/blocks/0/chart/series/1/data',
    },
  ],
  'a message has at most two charts': [
    {
      valid: [createPie(1), createPie(2)],
      invalid: [createPie(1), createPie(2), createPie(3)],
      message: 'only two charts are allowed',
      pointer: '/blocks/2',
    },
  ],
};
