/** @import { Example } from './all-examples.js' */

const DAYS = ['Monday', 'Tuesday', 'Wednesday'];

/**
 * @param {string} name
 * @param {readonly number[]} readers
 */
const createSeries = (name, readers) => ({
  name,
  data: readers.map((value, index) => ({ label: DAYS[index], value })),
});

const SERIES_CHART = {
  series: [createSeries('Instagram', [320, 410, 290]), createSeries('LinkedIn', [120, 95, 140])],
  axis_config: { categories: DAYS, x_label: 'Day', y_label: 'Readers' },
};

const CHARTS = [
  {
    type: 'pie',
    segments: [
      { label: 'Instagram', value: 1290 },
      { label: 'LinkedIn', value: 402 },
      { label: 'X', value: 87 },
    ],
  },
  { type: 'bar', ...SERIES_CHART },
  { type: 'area', ...SERIES_CHART },
  { type: 'line', ...SERIES_CHART },
];

/** @type {Example[]} */
export const chartExamples = CHARTS.map((chart) => {
  const block = { type: 'data_visualization', title: 'Readers this week', chart };
  return { title: `data_visualization, ${chart.type}`, blocks: [block] };
});
