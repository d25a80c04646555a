import { AsyncResource } from 'node:async_hooks';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { OpenView } from '../app/call.ts';
import { isTransient, isViewGone } from './slack-trouble.ts';

type Render = () => Promise<ModalView | undefined>;
type Shown = Pick<OpenView, 'id' | 'hash'>;
/** An update of one view that waits, and the hash that our own last update left. */
type Waiting = { view: Shown; render: Render };
type Line = { next: Waiting | undefined; ownHash: string | undefined };

/** Updates of open views while somebody types: one after the other, and what is older never comes after. */
interface LatestUpdates {
  /** Resolves when nothing is left to show for this view; one that was overtaken is skipped. */
  show(view: Shown, client: WebClient, render: Render): Promise<void>;
}

/**
 * Requests of one view come faster than updates go, and each carries the hash from before all updates under way.
 * So there is one line for each view: only the newest waits, and it is shown on top of our own last update. A view
 * that something else has changed meanwhile (`hash_conflict`) or that is closed is left alone; what Slack does not
 * take just now is not worth disturbing who writes.
 */
export function createLatestUpdates(): LatestUpdates {
  const lines = new Map<string, Line>();
  return {
    async show(view, client, render) {
      // It may run within the request before it, and is a part of its own.
      const waiting = { view, render: AsyncResource.bind(render) };
      const line = lines.get(view.id);
      if (line) {
        line.next = waiting;
        return;
      }
      const mine: Line = { next: waiting, ownHash: undefined };
      lines.set(view.id, mine);
      try {
        while (mine.next) await showNext(mine, client);
      } finally {
        lines.delete(view.id);
      }
    },
  };
}

async function showNext(line: Line, client: WebClient): Promise<void> {
  const { view, render } = line.next ?? {};
  line.next = undefined;
  const rendered = await render?.();
  // Newer words came while these were read.
  if (!view || !rendered || line.next) return;
  const hash = line.ownHash ?? view.hash;
  try {
    const updated = await client.views.update({ view_id: view.id, view: rendered, hash });
    line.ownHash = updated.view?.hash;
  } catch (error) {
    if (!isViewGone(error) && !isTransient(error)) throw error;
  }
}
