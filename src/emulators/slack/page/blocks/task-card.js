import { html } from '../html.js';
import { renderLink } from '../mrkdwn.js';
import { isRecord } from '../slack-json.js';
import { RichText } from './rich-text.js';

/** @import { PlanBlock, TaskCardBlock } from '@slack/types' */

/** @type {Record<TaskCardBlock['status'], string>} */
const STATUS_TEXTS = { pending: 'Pending', in_progress: 'In progress', complete: 'Done', error: 'Failed' };

/**
 * A task and its status.
 * @param {{ block: TaskCardBlock }} props
 */
export function TaskCard({ block: { title, status, details, output, sources = [] } }) {
  return html`<div class=${`task task-${status}`}>
    <p class="task-title">
      <span class="task-icon" aria-hidden="true"></span>${title}<span class="task-status">${STATUS_TEXTS[status]}</span>
    </p>
    ${details ? html`<div class="task-text"><${RichText} block=${details} /></div>` : null}
    ${output ? html`<div class="task-text task-output"><${RichText} block=${output} /></div>` : null}
    ${
      sources.length > 0
        ? html`<ul class="task-sources" aria-label="Sources">
            ${sources.map(({ url, text }, index) => html`<li key=${index}>${/^https?:/i.test(url) ? renderLink(url, text) : text}</li>`)}
          </ul>`
        : null
    }
  </div>`;
}

/**
 * Tasks under one title.
 * @param {{ block: PlanBlock }} props
 */
export function Plan({ block: { title, tasks = [] } }) {
  return html`<section class="plan">
    <p class="plan-title">${title}</p>
    <ol>${tasks.filter(isTask).map((task) => html`<li key=${task.task_id}><${TaskCard} block=${task} /></li>`)}</ol>
  </section>`;
}

/**
 * @param {unknown} task
 * @returns {task is TaskCardBlock}
 */
const isTask = (task) => isRecord(task) && typeof task.title === 'string';
