import type { Selectable } from 'kysely';
import type { Capability, Storage } from '../engine/capability.ts';
import type { DeliveryColumns } from '../engine/columns.ts';
import type { Lifecycle } from '../engine/lifecycle.ts';
import { restoreDeliveries } from '../engine/sql/bulk-transitions.ts';
import type { HeldPostTables } from '../held-posts/held-post.ts';
import type { NullableText, Timestamp } from '../store/column-values.ts';

/**
 * The lifecycle of an import: a table of posts that becomes held posts.
 *
 *   checked → importing ⇄ stopped
 *                 └→ done → undoing → undone
 *   stopped → undoing; checked and stopped → dropped
 *
 * `checked`: the rows were checked, and nothing was imported. The author decides. Another check, with other settings, is
 * another import, and this one is dropped.
 *
 * `importing`: batches of 50 rows become held posts, one transaction each. Any instance goes on after the last batch. The
 * author's role is checked before each batch. While it can't be looked up, the import waits.
 *
 * `stopped`: the author has stopped it or has lost the role, a backup was restored, or its rows can't be read. What was
 * imported stays.
 *
 * `done`: every good row is a held post, or its time has passed meanwhile. The author can undo it while its posts are
 * held.
 *
 * `undoing`: the posts that can still be cancelled are, from the last batch to the first.
 *
 * `undone`: all posts that were still held are cancelled, or those before the author lost the role. Final.
 *
 * `dropped`: the author didn't want it, or the app was uninstalled. Final.
 */
const STATES = ['checked', 'importing', 'stopped', 'done', 'undoing', 'undone', 'dropped'] as const;
export type State = (typeof STATES)[number];

/**
 * Reasons of `stopped`, if the author didn't stop it. `restored`: a backup was restored, and what was imported since isn't
 * known. `unreadable`: the rows can't be decrypted. `not-allowed`: the author no longer has the role that the next batch
 * needs, also a reason of `undone`. `not-checked`: `importing` or `undoing` waits, because the role couldn't be looked up.
 */
type StateReason = 'restored' | 'unreadable' | 'not-allowed' | 'not-checked';

/** The reasons for which a stopped import can't be resumed: what is imported already, or the rest, isn't known. */
export const FINAL_REASONS: readonly (StateReason | null)[] = ['restored', 'unreadable'];

/** The author decides, so the content is kept for the retention. */
const asked = { waitsFor: 'person', remote: 'absent', notifies: true, afterUninstall: 'dropped' } as const;

export const LIFECYCLE: Lifecycle<State> = {
  checked: { ...asked, nextStates: ['importing', 'dropped'] },
  importing: {
    nextStates: ['stopped', 'done', 'dropped'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    afterRestore: { to: 'stopped' },
    afterUninstall: 'dropped',
  },
  stopped: { ...asked, nextStates: ['importing', 'undoing', 'dropped'] },
  done: { ...asked, nextStates: ['undoing', 'dropped'], remote: 'present' },
  undoing: {
    nextStates: ['undone', 'dropped'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    afterUninstall: 'dropped',
  },
  undone: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: true },
  dropped: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
};

export interface PostImportTable extends DeliveryColumns<State, StateReason> {
  author: string;
  /** The message that shows the import; null before it was sent. */
  message_channel: NullableText;
  message_ts: NullableText;
  /** Numbers of rows: to import, equal to existing posts, not to be imported, and to correct. */
  good: number;
  equal: number;
  skipped: number;
  faulty: number;
  /** The number of batches, and the next one to import or, from its end, to undo. */
  batches: number;
  position: number;
  /** The number of imported posts, and of those that the undo has cancelled. */
  imported: number;
  undone: number;
  created_at: Timestamp;
}
export type PostImportRow = Selectable<PostImportTable>;

/** The contents of imports, apart from their rows, which every transition returns. */
export interface PostImportPartTable {
  /** The import, the kind of the part, and its position. */
  id: string;
  workspace: string;
  post_import: string;
  /** Encrypted JSON. */
  content: string;
}

export interface PostImportTables extends HeldPostTables {
  post_import: PostImportTable;
  post_import_part: PostImportPartTable;
}

export const POST_IMPORT_STORAGE: Storage<State, PostImportRow> = {
  table: 'post_import',
  lifecycle: LIFECYCLE,
};

export const POST_IMPORTS: Capability<State, PostImportRow, PostImportTables> = {
  name: 'imports',
  ...POST_IMPORT_STORAGE,
  initialStates: ['checked'],
  /** Posts that were imported since the backup may have been sent, so the author imports the file again. */
  async restore(db, now) {
    const { stopped = 0 } = await restoreDeliveries(db, POST_IMPORT_STORAGE, {
      now,
      change: { reason: 'restored' },
    });
    return [
      {
        count: stopped,
        label: 'Imports',
        explanation: 'They are stopped, and their authors are asked to import the rest again.',
      },
    ];
  },
  async endAfterUninstall(transaction, { workspace }) {
    await transaction
      .deleteFrom('post_import_part')
      .where('post_import', 'in', (imports) =>
        imports.selectFrom('post_import').select('id').where('workspace', '=', workspace),
      )
      .execute();
  },
};
