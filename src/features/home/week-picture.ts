import { createHash } from 'node:crypto';
import { getLocalDate } from '../../digests/content/days.ts';
import { planWeekPicture, type WeekPicture } from '../../digests/content/week-picture.ts';
import type { Digests } from '../../digests/digests.ts';
import { uploadPicture } from '../../digests/upload-picture.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import type { HomeCall, HomeContent } from './load-home.ts';

/** A picture whose file Slack has. */
export interface UploadedPicture {
  file: string;
  alt: string;
}

/** The week's picture on the Home of one person. */
export interface HomePicture {
  /** The picture, if Slack has already shown it on a Home. */
  readonly shown: UploadedPicture | undefined;
  /** Uploads the picture, unless that was done before. Undefined if Home has no picture. */
  upload(): Promise<UploadedPicture | undefined>;
  /** Records that Slack has shown the picture. */
  confirm(picture: UploadedPicture): void;
  /** Records that the file is gone, so that the next upload replaces it. */
  replace(): void;
  /** Records that Slack refused the picture. Home then has none until the week changes. */
  discard(): void;
  /** Starts to delete the file that this Home showed before, unless another Home shows it. */
  deleteReplaced(): void;
}

/** The file of a picture. */
interface Upload {
  key: string;
  /** The people on whose Home the picture is. */
  viewers: Set<string>;
  /** The id of the uploaded file. Ends with undefined if Slack doesn't accept it. */
  file?: Promise<string | undefined> | undefined;
  shown?: UploadedPicture | undefined;
}

/** Maximum number of people in memory. The files of others stay in Slack. */
const MAX_VIEWERS = 10_000;

/** The uploads of each app, which its digests identify. After a restart, pictures are uploaded again. */
const uploadsByApp = new WeakMap<Digests, ReturnType<typeof createUploads>>();

/**
 * Chooses the week's picture for the Home of the call's actor. People of a workspace with equal pictures share a file.
 *
 * The file isn't shared with anybody in Slack. Slack documents only that the bot, which publishes the view, must have
 * access: https://docs.slack.dev/reference/block-kit/composition-objects/slack-file-object. Other apps show such files
 * in views, for example https://github.com/Clever/flarebot/blob/master/src/lib/uploadFiles.ts.
 */
export function chooseWeekPicture(call: HomeCall, content: HomeContent): HomePicture {
  const { context, actor, client, log, reference } = call;
  const uploads = uploadsByApp.get(context.digests) ?? createUploads();
  uploadsByApp.set(context.digests, uploads);
  const picture = planPicture(content);
  const key = picture && `${actor.workspace}/${createHash('sha256').update(picture.key).digest('base64')}`;
  const viewer = `${actor.workspace}/${actor.user}`;
  const upload = uploads.assign(viewer, key);
  const drawAndUpload = async (weekPicture: WeekPicture, target: Upload) => {
    try {
      return await uploadPicture(client, await weekPicture.draw());
    } catch (error) {
      // The workspace declined `files:write`, so another attempt would fail too.
      if (getSlackErrorCode(error) === 'missing_scope') return undefined;
      target.file = undefined;
      throw error;
    }
  };
  return {
    shown: upload?.shown,
    async upload() {
      if (!picture || !upload) return undefined;
      upload.file ??= drawAndUpload(picture, upload);
      const file = await upload.file;
      return file === undefined ? undefined : { file, alt: picture.alt };
    },
    confirm(shown) {
      if (upload) upload.shown = shown;
    },
    replace() {
      if (upload) Object.assign(upload, { file: undefined, shown: undefined });
    },
    discard() {
      if (upload) Object.assign(upload, { file: Promise.resolve(undefined), shown: undefined });
    },
    deleteReplaced() {
      const deleteFile = async (replaced: Upload) => {
        const file = await replaced.file;
        if (file !== undefined) await client.files.delete({ file });
      };
      for (const replaced of uploads.takeReplaced(viewer))
        deleteFile(replaced).catch((err: unknown) =>
          log.info({ reference, err }, 'could not delete a replaced picture of the week'),
        );
    },
  };
}

/**
 * Plans the picture of the next seven days. Undefined if they have no post, or if posts may be missing: the picture
 * would say that there are none.
 */
function planPicture({ posts, now, zone }: HomeContent): WeekPicture | undefined {
  if (posts === 'unreadable' || 'failure' in posts || !posts.isWeekComplete) return undefined;
  const plannedPosts = posts.week.flatMap(({ project, post }) =>
    post.scheduleDate ? [{ project, post, scheduledAt: post.scheduleDate }] : [],
  );
  const picture = planWeekPicture(
    { projects: posts.projects, posts: plannedPosts },
    { overdue: [] },
    { date: getLocalDate(now, zone), zone, includesDrafts: false, startsNow: true },
  );
  return picture.hasPosts ? picture : undefined;
}

/** Creates the record of which Home shows which upload. */
function createUploads() {
  const uploads = new Map<string, Upload>();
  const uploadsByViewer = new Map<string, Upload>();
  /** Uploads without a viewer that the Home of their last viewer may still show. */
  const replacedByViewer = new Map<string, Upload[]>();
  /** Removes a viewer. Returns the upload if it has no viewer any more. */
  const removeViewer = (viewer: string): Upload | undefined => {
    const upload = uploadsByViewer.get(viewer);
    uploadsByViewer.delete(viewer);
    upload?.viewers.delete(viewer);
    if (!upload || upload.viewers.size > 0) return undefined;
    uploads.delete(upload.key);
    return upload;
  };
  return {
    /** Assigns an upload to a viewer; undefined without a key. */
    assign(viewer: string, key: string | undefined): Upload | undefined {
      const lastUpload = uploadsByViewer.get(viewer);
      if (lastUpload && lastUpload.key === key) return lastUpload;
      const replaced = removeViewer(viewer);
      if (replaced) replacedByViewer.set(viewer, [...(replacedByViewer.get(viewer) ?? []), replaced]);
      if (key === undefined) return undefined;
      const upload = uploads.get(key) ?? { key, viewers: new Set() };
      uploads.set(key, upload);
      uploadsByViewer.set(viewer, upload);
      upload.viewers.add(viewer);
      const [oldestViewer] = uploadsByViewer.keys();
      if (uploadsByViewer.size > MAX_VIEWERS && oldestViewer !== undefined) removeViewer(oldestViewer);
      return upload;
    },
    /**
     * Takes the uploads that the viewer's Home showed before. The caller has published Home without them; if that failed,
     * they stay for the next time.
     */
    takeReplaced(viewer: string): Upload[] {
      const replaced = replacedByViewer.get(viewer) ?? [];
      replacedByViewer.delete(viewer);
      return replaced;
    },
  };
}
