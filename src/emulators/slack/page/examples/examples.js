import { useMemo, useState } from 'preact/hooks';
import { Blocks } from '../blocks/blocks.js';
import { useConfirm } from '../confirm.js';
import { valuesFor } from '../form-values.js';
import { html } from '../html.js';
import { blocksIn } from '../slack-json.js';
import { withValue } from '../state.js';
import { SurfaceContext } from '../surface.js';
import { useDirectory } from '../use-directory.js';
import { allExamples } from './all-examples.js';
import { option } from './words.js';

/**
 * @import { Surface } from '../surface.js'
 * @import { Example as ExampleFacts } from './all-examples.js'
 */

/**
 * Every kind of block and element, at work, with its JSON; no app is behind them.
 * @param {{ origin: string }} props
 */
export function Examples({ origin }) {
  const { me } = useDirectory();
  const all = useMemo(() => allExamples(origin), [origin]);
  return html`<main class="examples">
    <header class="examples-head">
      <h1>Examples of blocks</h1>
      <p>
        Every kind of block and element as this workspace draws it, with its JSON. No app answers here.${' '}
        <a href=${`?as=${encodeURIComponent(me.name)}`}>Back to the workspace</a>
      </p>
    </header>
    ${all.map((example, index) => html`<${Example} key=${index} example=${example} index=${index} />`)}
  </main>`;
}

/** @param {{ example: ExampleFacts, index: number }} props */
function Example({ example: { title, blocks, surface = 'message' }, index }) {
  const [values, setValues] = useState(() => valuesFor(blocksIn(blocks)));
  const [sent, setSent] = useState('');
  const { confirm, dialog } = useConfirm();
  /** @type {Surface} */
  const here = {
    container: { type: 'view', viewId: `example-${index}` },
    values,
    errors: NO_ERRORS,
    inert: false,
    change: (blockId, actionId, state) => setValues((before) => withValue(before, blockId, actionId, state)),
    press: async (_blockId, actionId, state) => setSent(`${actionId}: ${JSON.stringify(state)}`),
    options: async (_blockId, _actionId, typed) => ({ ok: true, data: placesFor(typed) }),
    confirm,
  };
  return html`<section class="example" aria-labelledby=${`example-${index}-title`}>
    <h2 id=${`example-${index}-title`}>${title}</h2>
    <div class=${surface === 'modal' ? 'dialog-body' : ''}>
      <${SurfaceContext.Provider} value=${here}><${Blocks} blocks=${blocks} />${dialog}<//>
    </div>
    <p class="example-sent" role="status">${sent === '' ? '' : html`The app would be told <code>${sent}</code>`}</p>
    <details class="example-json"><summary>JSON</summary><pre tabindex="0">${JSON.stringify(blocks, null, 2)}</pre></details>
  </section>`;
}

/** @type {Record<string, string>} */
const NO_ERRORS = {};

/** @param {string} typed */
function placesFor(typed) {
  const places = ['Berlin', 'Lima', 'Limassol', 'Lisbon', 'Tokyo'];
  const fitting = places.filter((place) => place.toLowerCase().startsWith(typed.toLowerCase()));
  return { options: fitting.map((place) => option(place)) };
}
