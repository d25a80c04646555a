import { useMemo } from 'preact/hooks';
import { BlockContainerContext } from './block-container.js';
import { Blocks } from './blocks/blocks.js';
import { getContainerKey, readValues } from './form-actions.js';
import { html } from './html.js';
import { useConfirm } from './use-confirm.js';
import { usePage, usePageState } from './use-page.js';

/**
 * @import { Container } from '../protocol.ts'
 * @import { BlockContainer } from './block-container.js'
 */

/** @type {Record<string, string>} */
const NO_ERRORS = {};

/**
 * The blocks of a message, a modal or the Home tab, with working elements.
 * @param {{ container: Container, blocks: readonly unknown[], isInert?: boolean }} props
 */
export function InteractiveBlocks({ container, blocks, isInert = false }) {
  const page = usePage();
  const key = getContainerKey(container);
  const form = usePageState((state) => (container.type === 'view' ? state.forms[key] : undefined));
  const messageValues = usePageState((state) => state.messageValues[key]);
  const { confirm, dialog } = useConfirm();
  const values = useMemo(
    () => readValues(page.store.get(), container, blocks),
    [form, messageValues, blocks, key],
  );
  const errors = form?.errors ?? NO_ERRORS;
  /** @type {BlockContainer} */
  const blockContainer = useMemo(
    () => ({
      container,
      values,
      errors,
      isInert,
      change: (blockId, actionId, state) => page.change(container, blockId, actionId, state),
      press: (blockId, actionId, state) => page.press(container, blockId, actionId, state, blocks),
      loadOptions: (blockId, actionId, value) =>
        page.request({ act: 'options', container, blockId, actionId, value }),
      confirm,
    }),
    [key, values, errors, isInert, blocks],
  );
  return html`<${BlockContainerContext.Provider} value=${blockContainer}><${Blocks} blocks=${blocks} />${dialog}<//>`;
}
