import { useMemo, useState } from 'preact/hooks';
import { BlockContainerContext } from '../block-container.js';
import { Blocks } from '../blocks/blocks.js';
import { computeValues } from '../form-values.js';
import { html } from '../html.js';
import { readBlocks } from '../slack-json.js';
import { setValue } from '../state.js';
import { useConfirm } from '../use-confirm.js';
import { useDirectory } from '../use-directory.js';
import { listExamples } from './all-examples.js';
import { option } from './text-objects.js';

/**
 * @import { BlockContainer } from '../block-container.js'
 * @import { Example as ExampleData } from './all-examples.js'
 */

/**
 * Every kind of block and element with its JSON. The elements work, but no app receives their actions.
 * @param {{ origin: string }} props
 */
export function Examples({ origin }) {
  const { me } = useDirectory();
  const all = useMemo(() => listExamples(origin), [origin]);
  return html`<main class="examples">
    <header class="examples-head">
      <h1>Examples of blocks</h1>
      <p>
        Every kind of block and element, with its JSON. No app answers here.${' '}
        <a href=${`?as=${encodeURIComponent(me.name)}`}>Back to the workspace</a>
      </p>
    </header>
    ${all.map((example, index) => html`<${Example} key=${index} example=${example} index=${index} />`)}
  </main>`;
}

/** @param {{ example: ExampleData, index: number }} props */
function Example({ example: { title, blocks, surface = 'message' }, index }) {
  const [values, setValues] = useState(() => computeValues(readBlocks(blocks)));
  const [sent, setSent] = useState('');
  const { confirm, dialog } = useConfirm();
  /** @type {BlockContainer} */
  const blockContainer = {
    container: { type: 'view', viewId: `example-${index}` },
    values,
    errors: NO_ERRORS,
    isInert: false,
    change: (blockId, actionId, state) => setValues((before) => setValue(before, blockId, actionId, state)),
    press: async (_blockId, actionId, state) => setSent(`${actionId}: ${JSON.stringify(state)}`),
    loadOptions: async (_blockId, _actionId, query) => ({ ok: true, data: findPlaces(query) }),
    confirm,
  };
  return html`<section class="example" aria-labelledby=${`example-${index}-title`}>
    <h2 id=${`example-${index}-title`}>${title}</h2>
    <div class=${surface === 'modal' ? 'dialog-body' : ''}>
      <${BlockContainerContext.Provider} value=${blockContainer}><${Blocks} blocks=${blocks} />${dialog}<//>
    </div>
    <p class="example-sent" role="status">${sent === '' ? '' : html`The app would receive <code>${sent}</code>`}</p>
    <details class="example-json"><summary>JSON</summary><pre tabindex="0">${JSON.stringify(blocks, null, 2)}</pre></details>
  </section>`;
}

/** @type {Record<string, string>} */
const NO_ERRORS = {};

/** @param {string} query */
function findPlaces(query) {
  const places = ['Berlin', 'Lima', 'Limassol', 'Lisbon', 'Tokyo'];
  const matches = places.filter((place) => place.toLowerCase().startsWith(query.toLowerCase()));
  return { options: matches.map((place) => option(place)) };
}
