import { isRecord } from '../json.ts';
import type { FileEntry } from '../protocol.ts';
import { useDirectory } from './directory.ts';
import { formatFileSize } from './file-size.ts';
import { html } from './html.ts';
import { CloseButton } from './icon.ts';
import { usePageState } from './use-page.ts';

/** Returns a function that uploads a file as the current person. It resolves with undefined if that fails. */
export function useUpload() {
  const { me } = useDirectory();
  const team = usePageState((state) => state.workspace?.team.id) ?? '';
  return async (file: File): Promise<FileEntry | undefined> => {
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
}

export function isFileEntry(value: unknown): value is FileEntry {
  return isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string';
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
