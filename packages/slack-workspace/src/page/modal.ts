import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { getText } from '../json.ts';
import type { OpenView } from '../protocol.ts';
import { Avatar } from './avatar.ts';
import { Dialog, findFirstStop, listTabStops } from './dialog.ts';
import { useDirectory } from './directory.ts';
import { replaceEmojiCodes } from './emoji.ts';
import { html } from './html.ts';
import { CloseButton } from './icon.ts';
import { InteractiveBlocks } from './interactive-blocks.ts';
import { readBlocks } from './slack-json.ts';
import type { FormPhase } from './state.ts';
import { usePage, usePageState } from './use-page.ts';

/**
 * Moves the focus to the first field with a new error. `isWaiting`: whether the page waits for the app. Some fields
 * can't have focus then. Returns the number of errors so far. After it is set to 0, all errors count as new.
 */
export function useFocusOnError(
  form: { current: HTMLFormElement | null },
  errors: Record<string, string> | undefined,
  isWaiting: boolean,
): { current: number } {
  const before = useRef(0);
  const count = Object.keys(errors ?? {}).length;
  useEffect(() => {
    if (isWaiting) return;
    // With fewer errors than before, the person is correcting a field, so the focus stays there.
    if (count > before.current && form.current) {
      const block = form.current.querySelector('.has-error');
      const field = block && listTabStops(block).find((stop) => !(stop instanceof HTMLButtonElement));
      field?.focus();
      block?.scrollIntoView({ block: 'nearest' });
    }
    before.current = count;
  }, [errors, isWaiting]);
  return before;
}

/**
 * Restores the focus after a submission, because disabled elements lose it. If the focused element was removed, the
 * first field or button gets the focus.
 */
function useRestoredFocus(form: { current: HTMLFormElement | null }, isWaiting: boolean) {
  const focused = useRef<Element>(null);
  useLayoutEffect(() => {
    if (isWaiting) focused.current = document.activeElement;
    else if (focused.current !== null && form.current && document.activeElement === document.body) {
      moveFocus(focused.current.isConnected ? focused.current : findFirstStop(form.current));
    }
  }, [isWaiting]);
}

/**
 * Moves the focus after the app has updated the view:
 * - to the first field, if the view had no fields before (“Loading…”) and the person hasn't moved the focus;
 * - to the first field or button, if the focused element was removed.
 */
function useFocusOnUpdate(form: { current: HTMLFormElement | null }, blocks: readonly unknown[]) {
  const before = document.activeElement;
  const hadFields = useRef(true);
  /** The element that the page has focused. */
  const focusedByPage = useRef<Element>(null);
  useLayoutEffect(() => {
    if (!form.current) return;
    const isFirst = focusedByPage.current === null;
    const hasFields = form.current.querySelector('.dialog-body :is(input, textarea)') !== null;
    const isLoaded = hasFields && !hadFields.current && document.activeElement === focusedByPage.current;
    const isRemoved = before !== null && !before.isConnected;
    if (!isFirst && (isLoaded || isRemoved)) findFirstStop(form.current)?.focus();
    if (isFirst || isLoaded || isRemoved) focusedByPage.current = document.activeElement;
    hadFields.current = hasFields;
  }, [blocks]);
}

function moveFocus(element: Element | undefined) {
  if (element instanceof HTMLElement) element.focus();
}

/** The person's stack of modals. Only the top one is visible. The others keep their state. */
export function Modals() {
  const views = usePageState((state) => state.workspace?.views) ?? [];
  return views.map(
    (open, index) =>
      html`<${Modal} key=${open.id} open=${open} depth=${index + 1} isCovered=${index < views.length - 1} />`,
  );
}

const PHASE_TEXTS: Partial<Record<FormPhase, string>> = {
  failed: 'We had some trouble connecting. Try again?',
  expired: 'This form has expired. Copy what you typed, then close the form and open it again.',
};

function Modal({ open, depth, isCovered }: { open: OpenView; depth: number; isCovered: boolean }) {
  const { submit, closeView } = usePage();
  const { people, app: firstApp, apps } = useDirectory();
  const app = apps.find(({ botUserId }) => botUserId === open.botUserId) ?? firstApp;
  const phase = usePageState((state) => state.forms[open.id]?.phase ?? 'ready');
  const errors = usePageState((state) => state.forms[open.id]?.errors);
  const form = useRef<HTMLFormElement>(null);
  const { view } = open;
  const title = replaceEmojiCodes(getText(view, 'title') ?? '');
  const isWaiting = phase === 'waiting';
  const titleId = `${open.id}-title`;
  useRestoredFocus(form, isWaiting);
  const errorsSeen = useFocusOnError(form, errors, isWaiting);
  const blocks = useMemo(() => readBlocks(view.blocks), [view]);
  useFocusOnUpdate(form, blocks);
  const bot = people.get(app.botUserId);

  return html`<${Dialog} class=${`dialog modal ${isCovered ? 'is-covered' : ''}`} labelledBy=${titleId} onClose=${() => !isWaiting && void closeView(open.id)}>
    <form
      ref=${form}
      novalidate
      class="modal-form column"
      aria-busy=${isWaiting ? 'true' : 'false'}
      onSubmit=${(event: Event) => {
        event.preventDefault();
        errorsSeen.current = 0;
        if (view.submit !== undefined) void submit(open);
      }}
    >
      <header class="dialog-head row">
        <${Avatar} name=${app.name} color=${bot?.color ?? 'var(--accent)'} isBot />
        <h2 id=${titleId}>${title}</h2>
        <${CloseButton} label="Close" onClick=${() => void closeView(open.id, depth > 1)} />
      </header>
      <div class="dialog-body scroller">
        <${InteractiveBlocks} container=${{ type: 'view', viewId: open.id }} blocks=${blocks} isInert=${isWaiting || phase === 'expired'} />
      </div>
      <p class="modal-trouble problem" role="alert">${PHASE_TEXTS[phase]}</p>
      <footer class="dialog-foot row">
        <button type="button" class="button" disabled=${isWaiting} onClick=${() => void closeView(open.id)}>
          ${replaceEmojiCodes(getText(view, 'close') ?? (depth > 1 ? 'Back' : view.submit === undefined ? 'Close' : 'Cancel'))}
        </button>
        ${
          view.submit === undefined
            ? null
            : html`<button type="submit" class=${`button button-primary ${isWaiting ? 'is-waiting' : ''}`} disabled=${phase === 'expired'} aria-disabled=${isWaiting ? 'true' : undefined}>
                ${replaceEmojiCodes(getText(view, 'submit') ?? 'Submit')}
              </button>`
        }
      </footer>
      <span class="sr-only" role="status">${isWaiting ? 'Sending…' : ''}</span>
    </form>
  <//>`;
}
