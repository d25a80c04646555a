import type { Site } from '../site.ts';
import { uploadByPerson } from '../state/files.ts';
import type { StoredFile } from '../state/saved-file.ts';

/** Uploads a file of a person, on the page or in a test, and records it. */
export function uploadFile(site: Site, person: string, name: string, bytes: Buffer): Promise<StoredFile> {
  const request = { act: 'upload' as const, name, base64: '' };
  if (site.slack.recorder.isRecording) request.base64 = bytes.toString('base64');
  return site.slack.recorder.recordAction(site, person, request, () =>
    uploadByPerson(site, person, name, bytes),
  );
}
