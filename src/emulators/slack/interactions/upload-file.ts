import type { Site } from '../site.ts';
import { uploadByPerson } from '../state/files.ts';
import type { StoredFile } from '../state/saved-file.ts';

/** A person uploads a file, from the page or in a test. */
export function uploadFile(site: Site, person: string, name: string, bytes: Buffer): Promise<StoredFile> {
  const request = { act: 'upload' as const, name, base64: '' };
  if (site.slack.recorder.isRecording) request.base64 = bytes.toString('base64');
  return site.slack.recorder.recordAction(site, person, request, () =>
    uploadByPerson(site, person, name, bytes),
  );
}
