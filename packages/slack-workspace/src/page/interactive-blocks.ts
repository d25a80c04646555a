import { useMemo } from 'preact/hooks';
import type { Container } from '../protocol.ts';
import { type BlockContainer, BlockContainerContext } from './block-container.ts';
import { Blocks } from './blocks/blocks.ts';
import { getContainerKey, readValues } from './form-actions.ts';
import { html } from './html.ts';
import { useConfirm } from './use-confirm.ts';
import { usePage, usePageState } from './use-page.ts';

const NO_ERRORS: Record<string, string> = {};

type InteractiveBlocksProps = { container: Container; blocks: readonly unknown[]; isInert?: boolean };

/** The blocks of a message, a modal or the Home tab, with working elements. */
export function InteractiveBlocks({ container, blocks, isInert = false }: InteractiveBlocksProps) {
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
  const blockContainer: BlockContainer = useMemo(
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
