import { useState } from 'preact/hooks';
import { isRecord } from '../json.ts';
import type { FileEntry } from '../protocol.ts';
import { useDirectory } from './directory.ts';
import { formatFileSize } from './file-size.ts';
import { html } from './html.ts';
import { CloseButton } from './icon.ts';
import { usePageState } from './use-page.ts';

/**
 * Uploads files as the current person. `status` says how that goes. `upload` hands over each file as soon as it is uploaded,
 * and ends at the first that can't be, or that `onUploaded` doesn't take any more.
 */
export function useUploads() {
  const { me } = useDirectory();
  const team = usePageState((state) => state.workspace?.team.id) ?? '';
  const [status, setStatus] = useState('');
  const uploadOne = async (file: File): Promise<FileEntry | undefined> => {
    const query = new URLSearchParams({ team, person: me.id, name: file.name });
    const headers = { 'Content-Type': file.type || 'application/octet-stream' };
    try {
      const response = await fetch(`/page/files?${query}`, { method: 'POST', body: file, headers });
      const result = await response.json();
      return isRecord(result) && isFileEntry(result.file) ? result.file : undefined;
    } catch {
      return undefined;
    }
  };
  /** `error`: why other files were left out. */
  const upload = async (
    files: readonly File[],
    { error, onUploaded }: { error?: string | undefined; onUploaded(file: FileEntry): boolean },
  ): Promise<void> => {
    for (const file of files) {
      setStatus(`Uploading ${file.name}…`);
      const entry = await uploadOne(file);
      if (entry === undefined) return setStatus(`${file.name} couldn’t be uploaded. Please try again.`);
      if (!onUploaded(entry)) return;
    }
    setStatus(error ?? (files.length > 0 ? 'Uploaded.' : ''));
  };
  return { status, upload, clearStatus: () => setStatus('') };
}

/** Slack takes so many files at a time (slack.com/help/articles/201330736), and it is the default of `max_files`. */
export const MAX_FILES = 10;

export const TOO_MANY_FILES = 'That’s too many files.';

export function isFileEntry(value: unknown): value is FileEntry {
  return isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string';
}

/** Takes the files out of an input, because the browser would ignore a removed file that is chosen again. */
export function takeFiles(input: HTMLInputElement): File[] {
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}

type ChosenFileProps = { file: FileEntry; isInert: boolean; onRemove: () => void };

/** A file that isn’t sent yet. */
export function ChosenFile({ file, isInert, onRemove }: ChosenFileProps) {
  return html`<p class="file box row">
    <span class="file-icon" aria-hidden="true"></span>
    <span><span class="file-name">${file.name}</span><span class="description quiet">${formatFileSize(file.size)}</span></span>
    <${CloseButton} label=${`Remove ${file.name}`} disabled=${isInert} onClick=${onRemove} />
  </p>`;
}
