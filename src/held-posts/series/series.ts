import type { Generated, Selectable } from 'kysely';
import type { Capability, Storage } from '../../engine/capability.ts';
import type { DeliveryColumns } from '../../engine/columns.ts';
import type { Lifecycle } from '../../engine/lifecycle.ts';
import { restoreDeliveries } from '../../engine/sql/bulk-transitions.ts';
import type { EngineTables } from '../../engine/tables.ts';
import type { NullableCount, NullableText, NullableTimestamp, Timestamp } from '../../store/column-values.ts';

/**
 * The lifecycle of a series: a post that repeats. Upnext makes its posts of the next 35 days, each an ordinary held
 * post, which can be edited, moved, reviewed and cancelled like any other.
 *
 *   running ⇄ paused
 *   running → ended
 *   running, paused → cancelled → running
 *
 * `running`: twice a day, and when another date comes within the 35 days, Upnext checks the policy, the service and
 * whether the author may still schedule the posts, and makes those that are missing (`make-occurrences.ts`). If it can't
 * make a post, `reason` says why, and the author is told once.
 *
 * `paused`: no post is made, and those that were made are cancelled until somebody resumes the series. `reason` says
 * why, if it wasn't a person. With `not-held` they stay: whoever changed the policy has decided about them. Its people
 * are asked once, not about each post.
 *
 * `cancelled`: somebody cancelled the series, or its later posts and the others have gone out. [Undo] works until the row
 * is deleted.
 *
 * `ended`: the last date has passed. Final.
 *
 * `dropped`: the app was uninstalled, which deletes the content. Final.
 */
const STATES = ['running', 'paused', 'cancelled', 'ended', 'dropped'] as const;
export type SeriesState = (typeof STATES)[number];

/**
 * For `paused`: `not-allowed`: its author may no longer schedule posts. `not-held`: its project no longer keeps posts.
 * `other-service`: its project isn't at the service that is connected; it goes on when the project is there again. `restored`: a backup was restored.
 *
 * For `running`: `no-text`: for a date to come, every text was used too short a time before.
 *
 * For `running` and `ended`: `missed`: dates passed before their posts were made, because no instance ran. Nothing is
 * posted late.
 */
const SERIES_REASONS = ['not-allowed', 'not-held', 'other-service', 'restored', 'no-text', 'missed'] as const;
export type SeriesReason = (typeof SERIES_REASONS)[number];

const LIFECYCLE: Lifecycle<SeriesState> = {
  running: {
    nextStates: ['paused', 'cancelled', 'ended', 'dropped'],
    waitsFor: 'upnext',
    remote: 'absent',
    notifies: true,
    // Its posts may have gone out since the backup.
    afterRestore: { to: 'paused' },
    afterUninstall: 'dropped',
  },
  paused: {
    nextStates: ['running', 'cancelled', 'dropped'],
    waitsFor: 'person',
    remote: 'absent',
    keepsContent: true,
    notifies: true,
    afterUninstall: 'dropped',
  },
  cancelled: {
    nextStates: ['running', 'dropped'],
    waitsFor: 'person',
    remote: 'absent',
    notifies: true,
    afterUninstall: 'dropped',
  },
  ended: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: true },
  dropped: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
};

/** The table of series. An endpoint is a workspace. */
export interface SeriesTable extends DeliveryColumns<SeriesState, SeriesReason> {
  author: string;
  /** The project's id in the service. */
  project: string;
  /** The channel that the form was opened from; null if there is none. */
  channel: NullableText;
  /** The id of the form, so that a form that is sent twice is stored once. */
  origin: string;
  /** Incremented by every edit of the rule or its texts. Starts at 1. */
  version: number;
  /** Encrypted JSON of the rule and its texts; see `rule.ts`. Null after an uninstallation. */
  content: string | null;
  /** The key of the first date to which the content applies. Earlier posts stay as they were made. */
  changed_from: number;
  /** The key of the first date that isn't made any more, because somebody cancelled it and all later ones. */
  ends_before: NullableCount;
  /** Whether posts that were made may differ from the content, because a person has changed it. */
  is_changed: Generated<boolean>;
  /** The Slack id of whoever changed the series last; its author's after a change of Upnext itself. */
  changed_by: string;
  /**
   * The Slack ids of the people whose words may be in the content, which they can't approve, in the order of their
   * edits, with spaces between them. The last one is that of the last edit, so that its undo removes it.
   */
  edited_by: string;
  /** The encrypted content before the last edit, which [Undo edit] brings back. Null if there is none. */
  previous: NullableText;
  /** The key of the first date that isn't made yet. If it has passed, no instance ran in time. */
  made_until: number;
  /** The keys of the dates that were missed lately, with commas between them. Null if there are none. */
  missed: NullableText;
  /** The first date to come for which no text is left. Null if there is none. */
  missing_at: NullableTimestamp;
  created_at: Timestamp;
}

/** A series. `content` is encrypted. */
export type SeriesRow = Selectable<SeriesTable>;

export const SERIES_COLUMNS = [
  'State',
  'Repeats',
  'Next',
  'Time zone',
  'Project',
  'Platforms',
  'Text',
  'Author',
  'Id',
];

export interface SeriesTables extends EngineTables {
  series: SeriesTable;
}

/** The table and lifecycle of series. They send nothing themselves, so a stop doesn't concern them: their posts wait. */
export const SERIES_STORAGE: Storage<SeriesState, SeriesRow> = { table: 'series', lifecycle: LIFECYCLE };

export const SERIES: Capability<SeriesState, SeriesRow, SeriesTables> = {
  name: 'series',
  ...SERIES_STORAGE,
  initialStates: ['running'],
  async restore(db, now) {
    const { paused = 0 } = await restoreDeliveries(db, SERIES_STORAGE, {
      now,
      change: { reason: 'restored' },
    });
    return [
      {
        count: paused,
        label: 'Series',
        explanation:
          'They are paused until their authors resume them, because posts may have gone out since the backup.',
      },
    ];
  },
  async endAfterUninstall(transaction, { workspace }) {
    await transaction
      .updateTable('series')
      .set({ content: null, previous: null })
      .where('workspace', '=', workspace)
      .execute();
  },
};

export function addEditor({ edited_by: earlier }: Pick<SeriesRow, 'edited_by'>, actor: string): string {
  return [...new Set(earlier.split(' ')), actor].join(' ');
}

/** Removes the editor of an edit that is undone from `edited_by`. */
export function removeLastEditor({ edited_by: editors }: Pick<SeriesRow, 'edited_by'>): string {
  return editors.split(' ').slice(0, -1).join(' ') || editors;
}

/** Everybody but the author whose words may be in the content. */
export function listOtherWriters({ author, edited_by: writers }: Pick<SeriesRow, 'author' | 'edited_by'>) {
  return [...new Set(writers.split(' '))].filter((writer) => writer !== author);
}

/** Who wrote the series, which may have another author since, and the others who edited it. */
export function listWriters(row: Pick<SeriesRow, 'author' | 'edited_by'>) {
  const [writer = row.author, ...editors] = row.edited_by.split(' ');
  return { writer, editors: [...new Set(editors)].filter((editor) => editor !== row.author) };
}

/** The Slack id of whoever edited the content last; '' if nobody has since the last undo, which writes nothing. */
export function getLastEditor(row: Pick<SeriesRow, 'previous' | 'edited_by'>): string {
  const { previous, edited_by: editors } = row;
  return (previous === null ? undefined : editors.split(' ').at(-1)) ?? '';
}
