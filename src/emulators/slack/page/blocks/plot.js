import { html } from '../html.js';

/** @import { PieChart, SeriesChart } from './chart.js' */

const WIDTH = 400;
const HEIGHT = 180;
const MIDDLE = HEIGHT / 2;

/**
 * The picture of a chart.
 * @param {{ chart: PieChart | SeriesChart, label: string }} props
 */
export function Plot({ chart, label }) {
  return html`<svg class="chart-plot" viewBox=${`0 0 ${chart.type === 'pie' ? HEIGHT : WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
    ${chart.type === 'pie' ? html`<${Pie} chart=${chart} />` : html`<${Series} chart=${chart} />`}
  </svg>`;
}

/** @param {{ chart: PieChart }} props */
function Pie({ chart: { segments } }) {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  if (segments.length === 1) return html`<circle class="chart-0" cx=${MIDDLE} cy=${MIDDLE} r=${MIDDLE} />`;
  let sum = 0;
  return segments.map(({ value }, index) => {
    const from = findPoint(sum / total);
    sum += value;
    const isLarge = value / total > 0.5 ? 1 : 0;
    const path = `M${MIDDLE},${MIDDLE} L${from} A${MIDDLE},${MIDDLE} 0 ${isLarge} 1 ${findPoint(sum / total)} Z`;
    return html`<path key=${index} class=${`chart-${index}`} d=${path} />`;
  });
}

/**
 * The point on the circle at this share of its circumference, clockwise from the top.
 * @param {number} share 0 to 1
 */
function findPoint(share) {
  const angle = 2 * Math.PI * share;
  return `${MIDDLE + MIDDLE * Math.sin(angle)},${MIDDLE - MIDDLE * Math.cos(angle)}`;
}

/** @param {{ chart: SeriesChart }} props */
function Series({ chart: { type, series, axis_config } }) {
  const { categories } = axis_config;
  const values = series.map(({ data }) =>
    categories.map((category) => data.find(({ label }) => label === category)?.value ?? 0),
  );
  const highest = Math.max(0, ...values.flat());
  const lowest = Math.min(0, ...values.flat());
  const getY = (/** @type {number} */ value) =>
    HEIGHT - ((value - lowest) / (highest - lowest || 1)) * HEIGHT;
  const step = WIDTH / categories.length;
  const getX = (/** @type {number} */ index) => step * (index + 0.5);
  const zero = getY(0);
  return html`<line class="chart-axis" x1="0" x2=${WIDTH} y1=${zero} y2=${zero} />
    ${values.map((line, index) => {
      const points = line.map((value, at) => `${getX(at)},${getY(value)}`).join(' ');
      const area = `${getX(0)},${zero} ${points} ${getX(line.length - 1)},${zero}`;
      if (type === 'line')
        return html`<polyline key=${index} class=${`chart-line chart-${index}`} points=${points} />`;
      if (type === 'area')
        return html`<polygon key=${index} class=${`chart-area chart-${index}`} points=${area} />`;
      const bar = (step * 0.8) / values.length;
      return line.map(
        (value, at) => html`<rect
          key=${`${index}-${at}`}
          class=${`chart-${index}`}
          x=${step * (at + 0.1) + bar * index}
          y=${Math.min(zero, getY(value))}
          width=${bar}
          height=${Math.abs(zero - getY(value))}
        />`,
      );
    })}`;
}
