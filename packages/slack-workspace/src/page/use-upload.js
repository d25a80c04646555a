import { isRecord } from './slack-json.js';
import { useDirectory } from './use-directory.js';
import { usePageState } from './use-page.js';

/** @import { FileEntry } from '../protocol.ts' */

/** Returns a function that uploads a file as the current person. It resolves with undefined if that fails. */
export function useUpload() {
  const { me } = useDirectory();
  const team = usePageState((state) => state.workspace?.team.id) ?? '';
  /**
   * @param {File} file
   * @returns {Promise<FileEntry | undefined>}
   */
  return async (file) => {
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

/**
 * @param {unknown} value
 * @returns {value is FileEntry}
 */
export function isFileEntry(value) {
  return isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string';
}
