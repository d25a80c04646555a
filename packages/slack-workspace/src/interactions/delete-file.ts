import type { Site } from '../site.ts';
import { findMessage, redrawMessage } from '../state/messages.ts';
import type { StoredFile } from '../state/saved-file.ts';
import { removeMessage } from './write-message.ts';

/** Deletes a file, and the messages that have no other content. */
export function deleteFile(site: Site, file: StoredFile): void {
  file.deleted = true;
  site.fileStore.remove(file.id).catch((error: unknown) => {
    console.error('could not delete a file of the workspace:', error);
  });
  site.touch();
  for (const share of file.shares) {
    const message = findMessage(site, share.channel, share.ts);
    if (!message) continue;
    const hasFiles = (message.files ?? []).some((id) => site.state.files[id]?.deleted !== true);
    if (hasFiles || message.text !== '' || message.blocks) redrawMessage(site, message);
    else removeMessage(site, message);
  }
}
