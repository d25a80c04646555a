import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CommandEntry, FileEntry, Person } from '../protocol.ts';
import { html } from './html.ts';
import { Icon } from './icon.ts';
import { getItemId, Listbox } from './listbox.ts';
import { Menu } from './menu.ts';
import { findCommand, NO_SUGGESTIONS, type Suggestion, suggest } from './suggestions.ts';
import { ChosenFile, MAX_FILES, TOO_MANY_FILES, takeFiles, useUploads } from './upload.ts';
import { usePage, usePageState } from './use-page.ts';

/**
 * The unsent text of a composer, with its cursor and suggestions. `conversationKey`: the channel and thread. A change
 * clears the text.
 */
function useDraft(
  conversationKey: string,
  sources: { commands: readonly CommandEntry[]; people: readonly Person[] },
) {
  const [text, setText] = useState('');
  const [cursor, setCursor] = useState(0);
  const [error, setError] = useState('');
  const [active, setActive] = useState(0);
  const [isHidden, setHidden] = useState(false);
  const textArea = useRef<HTMLTextAreaElement>(null);
  /** The cursor defaults to the end. */
  const write = (newText: string, newCursor: number = newText.length) => {
    setText(newText);
    setCursor(newCursor);
    setActive(0);
    setHidden(false);
    setError('');
  };
  // A layout effect, because the next key press is meant for this text.
  useLayoutEffect(() => {
    write('');
    textArea.current?.focus();
  }, [conversationKey]);
  const accept = ({ text: newText, cursor: newCursor }: Suggestion) => {
    write(newText, newCursor);
    if (!textArea.current) return;
    // Set here as well, because the browser would leave the cursor at the end of a text that is drawn later.
    textArea.current.value = newText;
    textArea.current.setSelectionRange(newCursor, newCursor);
    textArea.current.focus();
  };
  const { title, suggestions } = isHidden ? NO_SUGGESTIONS : suggest(text, cursor, sources);
  return {
    ...{ textArea, text, title, suggestions, active, error },
    ...{ write, accept, setError, setActive, setCursor, hideSuggestions: () => setHidden(true) },
  };
}

/** The files that were dropped or chosen for the next message. A change of the conversation removes them. */
function useAttachedFiles(conversationKey: string) {
  const { status, upload, clearStatus } = useUploads();
  const [files, setFiles] = useState<readonly FileEntry[]>([]);
  const latestKey = useRef(conversationKey);
  const clear = () => {
    setFiles([]);
    clearStatus();
  };
  useLayoutEffect(() => {
    latestKey.current = conversationKey;
    clear();
  }, [conversationKey]);
  const add = (chosen: readonly File[]) => {
    const accepted = chosen.slice(0, MAX_FILES - files.length);
    const onUploaded = (entry: FileEntry) => {
      const isHere = latestKey.current === conversationKey;
      if (isHere) setFiles((current) => [...current, entry]);
      return isHere;
    };
    const error = accepted.length < chosen.length ? TOO_MANY_FILES : undefined;
    void upload(accepted, { error, onUploaded });
  };
  return {
    ...{ files, status, add, clear },
    remove: (file: FileEntry) => setFiles((current) => current.filter((other) => other !== file)),
  };
}

/** Takes files that are dropped anywhere in the composer's conversation. Returns the reference of the composer. */
function useDropZone(add: (files: readonly File[]) => void) {
  const composer = useRef<HTMLDivElement>(null);
  const latestAdd = useRef(add);
  latestAdd.current = add;
  useEffect(() => {
    const pane = composer.current?.parentElement;
    // Otherwise the browser would open the file instead of the page.
    const allow = (event: DragEvent) => event.preventDefault();
    const take = (event: DragEvent) => {
      event.preventDefault();
      latestAdd.current([...(event.dataTransfer?.files ?? [])]);
    };
    pane?.addEventListener('dragover', allow);
    pane?.addEventListener('drop', take);
    return () => {
      pane?.removeEventListener('dragover', allow);
      pane?.removeEventListener('drop', take);
    };
  }, []);
  return composer;
}

/**
 * The composer's text and keys: Enter sends, Shift+Enter starts a new line, "/" suggests commands, "@" suggests people,
 * and ↑ in an empty text box restores the last sent text. `threadTs` in a thread.
 */
function useComposer(
  channel: string,
  { threadTs, onSent }: { threadTs?: string | undefined; onSent: () => void },
) {
  const { act, store } = usePage();
  const allCommands = usePageState((state) => state.workspace?.commands) ?? [];
  const people = usePageState((state) => state.workspace?.people) ?? [];
  const commands = threadTs === undefined ? allCommands : [];
  const draft = useDraft(`${channel} ${threadTs}`, { commands, people });
  const attached = useAttachedFiles(`${channel} ${threadTs}`);
  const { text, write } = draft;
  const history = useHistory();
  const send = () => {
    const trimmed = text.trim();
    const files = attached.files.map(({ id }) => id);
    if (trimmed === '' && files.length === 0) return;
    // With files, it's the text of a message.
    const command = files.length === 0 ? /^\/\S+/.exec(trimmed)?.[0] : undefined;
    if (command && threadTs !== undefined) {
      // Slack's own text.
      return draft.setError(`${command} is not supported in threads. Sorry!`);
    }
    // Without a connection, the text stays in the text box.
    if (store.get().connection === 'open') {
      if (trimmed !== '') history.add(trimmed);
      write('');
      attached.clear();
      onSent();
    }
    if (command) return void act({ act: 'command', channel, text: trimmed });
    void act({
      ...{ act: 'message', channel, text: trimmed },
      ...(files.length > 0 && { files }),
      ...(threadTs !== undefined && { threadTs }),
    });
  };
  const showOlder = () => {
    const older = history.older();
    if (older === undefined) return;
    write(older);
    draft.hideSuggestions();
  };
  return {
    ...draft,
    attached,
    ...{ hint: findCommand(text, commands), send, showOlder },
    ...{ isInHistory: history.isOpen, leaveHistory: history.leave },
  };
}

/** Returns whether the key was handled. */
function handleKey(composer: ReturnType<typeof useComposer>, { key, shiftKey }: KeyboardEvent) {
  const { suggestions, active, text } = composer;
  const suggestion = suggestions[active];
  if (suggestion !== undefined) {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    // Enter sends a complete command, and completes an incomplete one.
    const accepts = !shiftKey && (key === 'Tab' || (key === 'Enter' && !suggestion.isComplete));
    if (step !== 0) composer.setActive((active + step + suggestions.length) % suggestions.length);
    else if (key === 'Escape') composer.hideSuggestions();
    else if (accepts) composer.accept(suggestion);
    if (step !== 0 || key === 'Escape' || accepts) return true;
  }
  const sends = key === 'Enter' && !shiftKey;
  const showsOlder = key === 'ArrowUp' && (text === '' || composer.isInHistory());
  if (sends) composer.send();
  if (showsOlder) composer.showOlder();
  return sends || showsOlder;
}

/** The texts that the person has sent since the page was opened, oldest first. */
function useHistory() {
  const sent = useRef([] as string[]);
  const position = useRef(0);
  return {
    isOpen: () => position.current > 0,
    leave: () => {
      position.current = 0;
    },
    add: (text: string) => {
      sent.current.push(text);
      position.current = 0;
    },
    older: () => {
      position.current = Math.min(position.current + 1, sent.current.length);
      return position.current === 0 ? undefined : sent.current.at(-position.current);
    },
  };
}

/** The global shortcuts of all apps. */
function Shortcuts() {
  const { act } = usePage();
  const all = usePageState((state) => state.workspace?.shortcuts) ?? [];
  const items = all
    .filter(({ type }) => type === 'global')
    .map(({ callbackId, app, botUserId, name, description }) => ({
      key: `${app} ${callbackId}`,
      label: name,
      description,
      choose: () => void act({ act: 'shortcut', callbackId, app: botUserId }),
    }));
  if (items.length === 0) return null;
  return html`<${Menu} label="Shortcuts" items=${items}><${Icon} name="bolt" /><//>`;
}

type TextAreaEvent = { currentTarget: HTMLTextAreaElement };

interface ComposerProps {
  channel: string;
  title: string;
  threadTs?: string;
  onSent: () => void;
}

/** The text box of a channel or thread, with suggestions. */
export function Composer({ channel, title, threadTs, onSent }: ComposerProps) {
  const composer = useComposer(channel, { threadTs, onSent });
  const { suggestions, active, hint, text, error, attached } = composer;
  const { files } = attached;
  const root = useDropZone(attached.add);
  const id = threadTs === undefined ? 'composer' : 'thread-composer';
  const label = threadTs === undefined ? `Message ${title}` : 'Reply in the thread';
  const listId = `${id}-suggestions`;
  const isOpen = suggestions.length > 0;
  const moveCursor = ({ currentTarget }: TextAreaEvent) => composer.setCursor(currentTarget.selectionStart);
  const usage = !isOpen && hint?.usageHint ? `${hint.command} ${hint.usageHint}` : undefined;
  const chooseFiles = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    attached.add(takeFiles(currentTarget));
  return html`<div class="composer" ref=${root}>
    ${
      isOpen
        ? html`<div class="popup" onMouseDown=${(event: Event) => event.preventDefault()}>
            <p class="popup-title quiet" aria-hidden="true">${composer.title} <span>↑ ↓ to choose, Enter to insert</span></p>
            <${Listbox} id=${listId} label=${composer.title} items=${suggestions} active=${active} onPick=${composer.accept} onHover=${composer.setActive} />
          </div>`
        : null
    }
    ${usage ? html`<p class="usage quiet" id=${`${id}-usage`}>${usage}</p>` : null}
    <p class="action-error problem" role="alert">${error}</p>
    ${files.length > 0 ? html`<div class="files attached">${files.map((file) => html`<${ChosenFile} key=${file.id} file=${file} isInert=${false} onRemove=${() => attached.remove(file)} />`)}</div>` : null}
    <p class="upload-status quiet" role="status">${attached.status}</p>
    <div class="composer-box">
      <input id=${`${id}-files`} class="sr-only" type="file" multiple aria-label="Attach files" onChange=${chooseFiles} />
      <label for=${`${id}-files`} class="icon-button file-choose" title="Attach files" aria-hidden="true"><${Icon} name="clip" /></label>
      ${threadTs === undefined ? html`<${Shortcuts} />` : null}
      <label class="sr-only" for=${id}>${label}</label>
      <textarea
        ref=${composer.textArea}
        id=${id}
        rows="1"
        aria-haspopup="listbox"
        aria-controls=${isOpen ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant=${isOpen ? getItemId(listId, active) : undefined}
        aria-describedby=${usage ? `${id}-usage` : undefined}
        autocomplete="off"
        placeholder=${threadTs === undefined ? `${label} or type /` : label}
        value=${text}
        onInput=${({ currentTarget }: TextAreaEvent) => {
          composer.leaveHistory();
          composer.write(currentTarget.value, currentTarget.selectionStart);
        }}
        onKeyUp=${moveCursor}
        onClick=${moveCursor}
        onBlur=${composer.hideSuggestions}
        onKeyDown=${(event: KeyboardEvent) => {
          if (!event.isComposing && handleKey(composer, event)) event.preventDefault();
        }}
      ></textarea>
      <button type="button" class="icon-button send" aria-label="Send" title="Send" disabled=${text.trim() === '' && files.length === 0} onClick=${composer.send}>
        <${Icon} name="send" />
      </button>
    </div>
  </div>`;
}
