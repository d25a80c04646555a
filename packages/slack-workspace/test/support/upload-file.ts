import type { FilesUploadV2Arguments, WebClient } from '@slack/web-api';

interface UploadedFile {
  id: string;
  mimetype: string;
  url_private: string;
}

/** Uploads a file with the SDK's uploadV2, and returns the file. The SDK has no type for that response. */
export async function uploadFile(client: WebClient, options: FilesUploadV2Arguments): Promise<UploadedFile> {
  const { files } = (await client.files.uploadV2(options)) as { files?: { files?: UploadedFile[] }[] };
  const file = files?.[0]?.files?.[0];
  if (!file) throw new Error('The upload answered without a file');
  return file;
}
