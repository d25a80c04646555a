import { html } from '../html.js';
import { Plot } from './plot.js';

/**
 * Charts of data_visualization blocks, which @slack/types 3.2.0 doesn't declare.
 * @typedef {{ label: string, value: number }} DataPoint
 * @typedef {{ type: 'pie', segments: DataPoint[] }} PieChart
 * @typedef {object} SeriesChart
 * @property {'bar' | 'area' | 'line'} type
 * @property {{ name: string, data: DataPoint[] }[]} series
 * @property {{ categories: string[], x_label?: string, y_label?: string }} axis_config
 * @typedef {{ title: string, chart: PieChart | SeriesChart }} ChartBlock
 */

/**
 * A chart. A table with its values is for people who can't see the picture.
 * @param {{ block: ChartBlock }} props
 */
export function Chart({ block: { title, chart } }) {
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    <${Plot} chart=${chart} label=${`${KINDS[chart.type]}: ${title}`} />
    <ul class="chart-legend" aria-hidden="true">
      ${readNames(chart).map((name, index) => html`<li key=${index}><span class=${`chart-swatch chart-${index}`}></span>${name}</li>`)}
    </ul>
    <details>
      <summary>Show the data</summary>
      <div class="table-frame" tabindex="0" role="group" aria-label=${title}><${Values} chart=${chart} /></div>
    </details>
  </figure>`;
}

const KINDS = { pie: 'Pie chart', bar: 'Bar chart', area: 'Area chart', line: 'Line chart' };

/** @param {PieChart | SeriesChart} chart */
const readNames = (chart) =>
  chart.type === 'pie' ? chart.segments.map(({ label }) => label) : chart.series.map(({ name }) => name);

/** @param {{ chart: PieChart | SeriesChart }} props */
function Values({ chart }) {
  const columns = chart.type === 'pie' ? ['Value'] : chart.series.map(({ name }) => name);
  const rows =
    chart.type === 'pie'
      ? chart.segments.map(({ label, value }) => ({ label, values: [value] }))
      : chart.axis_config.categories.map((label) => ({
          label,
          values: chart.series.map(({ data }) => data.find((point) => point.label === label)?.value),
        }));
  const { x_label: heading = '' } = chart.type === 'pie' ? {} : chart.axis_config;
  return html`<table class="table">
    <thead>
      <tr><th scope="col">${heading}</th>${columns.map((name, index) => html`<th key=${index} scope="col">${name}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ label, values }, index) => html`<tr key=${index}>
          <th scope="row">${label}</th>${values.map((value, at) => html`<td key=${at} class="cell-right">${value}</td>`)}
        </tr>`,
      )}
    </tbody>
  </table>`;
}
