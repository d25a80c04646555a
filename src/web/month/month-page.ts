import { PLATFORMS } from '../../api/platforms.ts';
import type { Project } from '../../api/projects.ts';
import { getLocalDate, type LocalDate, renderDay, renderWeekday } from '../../digests/content/days.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import type { FreeSlot } from '../../preferences/posting-times.ts';
import { capitalize, joinWithAnd, renderCount } from '../../words.ts';
import { type Child, type Html, html } from '../html.ts';
import { type Frame, renderIcon, renderPage } from '../layout.ts';
import { renderPlatforms, renderPostItem, renderShortName } from '../post-item.ts';
import type { PagePlan, PlanPost } from '../read-plan.ts';
import { TONE_NAMES, TONES, type Tone } from '../state.ts';
import { addMonths, findWeek, getWeekday, type PageReader, renderClock, renderMonth } from '../time.ts';
import type { MonthContent, ShownDay } from './month-content.ts';
import { ALL_PROJECTS, buildMonthAddress, type MonthQuery } from './month-query.ts';

interface MonthPage {
  query: MonthQuery;
  content: MonthContent;
  plan: PagePlan;
  /** All projects that the person may see, and whether there may be more. */
  projects: readonly Project[];
  hasMoreProjects: boolean;
  /** The projects that the page would be about too, if it had room for them. */
  leftOutCount: number;
  reader: PageReader;
  now: Date;
  frame: Pick<Frame, 'assets' | 'reader' | 'home'>;
  /** The names of authors by their ids, as far as Slack told them. */
  names: ReadonlyMap<string, string>;
}

/** Posts on the page of a month, so that it stays under 30 kB. Further ones are on the pages of their days. */
const MAX_ITEMS = 52;
/** With the names of their projects. */
const MAX_ITEMS_OF_ALL = 43;
const MAX_DAY_ITEMS = 8;
/** Posts on a page of a day. */
const MAX_ITEMS_ALONE = 50;
/** Free slots of a day. */
const MAX_SLOTS = 2;
/** Things of each kind to look at. */
const MAX_FINDINGS = 4;
/** With more projects, their names are in a menu. */
const MAX_TABS = 8;

export function renderMonthPage(page: MonthPage): Html {
  const { query, content, frame } = page;
  const title = `${getTitle(page)}, ${renderMonth(query.month)}`;
  return renderPage(
    { ...frame, title, kind: 'month' },
    renderHeading(page),
    renderFilters(page),
    renderFindings(page),
    renderDoubts(page),
    content.days.some(({ isToday }) => isToday) &&
      html`<p class="jump"><a href=${`#d${getLocalDate(page.now, page.reader.zone).slice(8)}`}>Jump to today</a></p>`,
    content.shownCount === 0 && renderEmpty(page),
    renderGrid(page),
    renderKey(content),
  );
}

/** Renders all posts of one day, for days that have more than the month shows. */
export function renderDayPage(page: MonthPage, day: ShownDay): Html {
  const { query, frame, reader } = page;
  const pageCount = Math.max(1, Math.ceil(day.posts.length / MAX_ITEMS_ALONE));
  const number = Math.min(query.page, pageCount - 1);
  const shown = day.posts.slice(number * MAX_ITEMS_ALONE, (number + 1) * MAX_ITEMS_ALONE);
  const month = buildMonthAddress({ ...query, day: '', page: 0 });
  const turn = (to: number) => buildMonthAddress({ ...query, page: to });
  const hours = [
    ...Map.groupBy(shown, ({ at }) => renderClock(at, { ...reader, locale: undefined }).slice(0, 2)),
  ];
  return renderPage(
    { ...frame, title: `${getTitle(page)}, ${renderDay(day.date)}`, kind: 'day' },
    renderHeading(page),
    renderDoubts(page),
    html`<section class="daylist">
      <p class="back"><a href=${`${month}#d${day.date.slice(8)}`}>‹ ${renderMonth(query.month)}</a></p>
      <h2>${renderWeekday(day.date)}, ${renderDay(day.date).slice(4)} <small>${renderCount(day.posts.length, 'post')}</small></h2>
      ${day.blackouts.map(renderBlackout)}
      ${hours.map(
        ([hour, posts]) => html`<section class="hour">
          <h3>${hour}:00</h3>
          <ol class="ps">${posts.map((planned) => renderItem(page, planned))}</ol>
        </section>`,
      )}
      ${
        pageCount > 1 &&
        html`<nav class="pager" aria-label="Pages">
          ${number > 0 && html`<a href=${turn(number - 1)}>‹ Earlier</a>`}
          <strong>Page ${number + 1} of ${pageCount}</strong>
          ${number + 1 < pageCount && html`<a href=${turn(number + 1)}>Later ›</a>`}
        </nav>`
      }
    </section>`,
  );
}

function getTitle({ query, projects }: Pick<MonthPage, 'query' | 'projects'>): string {
  return projects.find(({ id }) => id === query.project)?.name ?? 'All projects';
}

function renderHeading(page: MonthPage): Html {
  const { query, projects, now, reader } = page;
  const turn = (month: string) => buildMonthAddress({ ...query, month, day: '', page: 0 });
  const [before, after] = [addMonths(query.month, -1), addMonths(query.month, 1)];
  const choose = (project: string) => buildMonthAddress({ ...query, project, day: '', page: 0 });
  const tabs = [...projects.map(({ id, name }) => [id, name] as const), [ALL_PROJECTS, 'All'] as const];
  const hasTabs = projects.length > 1 && projects.length <= MAX_TABS;
  return html`<div class="head">
    <div>
      <h1><bdi>${getTitle(page)}</bdi></h1>
      ${
        hasTabs &&
        html`<nav class="tabs" aria-label="Projects">
          <ul>
            ${tabs.map(
              ([id, name]) =>
                html`<li><a href=${choose(id)} aria-current=${id === query.project ? 'page' : undefined}><bdi>${name}</bdi></a></li>`,
            )}
          </ul>
        </nav>`
      }
    </div>
    <nav class="pager" aria-label="Months">
      <a href=${turn(before)} rel="prev"><span aria-hidden="true">‹</span> ${renderMonth(before).slice(0, 3)}<span class="vh"> (previous month)</span></a>
      <strong>${renderMonth(query.month)}</strong>
      <a href=${turn(after)} rel="next">${renderMonth(after).slice(0, 3)}<span class="vh"> (next month)</span> <span aria-hidden="true">›</span></a>
      <a href=${turn(getLocalDate(now, reader.zone).slice(0, 7))}>Today</a>
    </nav>
  </div>`;
}

function renderFilters(page: MonthPage): Html {
  const { query, content, projects, names } = page;
  const chips = [
    '' as const,
    ...TONE_NAMES.filter((tone) => content.counts[tone] > 0 || tone === query.state),
  ];
  const hidden = Object.entries({
    state: query.state,
    ...(projects.length <= MAX_TABS && { project: query.project }),
  });
  // A chosen one stays chosen in a month that has no post of it.
  const chosen = (ids: readonly string[], id: string) => (id === '' || ids.includes(id) ? ids : [...ids, id]);
  const authors = chosen(content.authors, query.author).flatMap((id) => {
    const name = names.get(id);
    return name === undefined && id !== query.author ? [] : [[id, name ?? 'Somebody'] as const];
  });
  const platforms = chosen(content.platforms, query.platform).map(
    (id) => [id, renderPlatformNames([id])] as const,
  );
  return html`<div class="bar">
    <nav aria-label="States"><ul class="chips">${chips.map((tone) => renderChip(page, tone))}</ul></nav>
    <form class="filter" method="get" action=${query.month}>
      ${hidden.map(([name, value]) => value !== '' && html`<input type="hidden" name=${name} value=${value} />`)}
      ${
        projects.length > MAX_TABS &&
        renderSelect('project', 'Project', query.project, [
          ...projects.map(({ id, name }) => [id, name] as const),
          [ALL_PROJECTS, 'All projects'],
        ])
      }
      ${renderSelect('platform', 'Platform', query.platform, [['', 'All platforms'], ...platforms])}
      ${authors.length > 0 && renderSelect('author', 'Author', query.author, [['', 'All authors'], ...authors])}
      <button>Show</button>
    </form>
  </div>`;
}

function renderSelect(
  name: string,
  label: string,
  chosen: string,
  options: readonly (readonly [value: string, label: string])[],
): Html {
  return html`<label>
    <span class="vh">${label}</span>
    <select name=${name}>
      ${options.map(([value, text]) => html`<option value=${value} selected=${value === chosen}>${text}</option>`)}
    </select>
  </label>`;
}

function renderChip({ query, content }: MonthPage, tone: Tone | ''): Html {
  const isOn = query.state === tone;
  const address = buildMonthAddress({ ...query, state: isOn ? '' : tone, day: '', page: 0 });
  return html`<li>
    <a class=${`chip ${tone}`} href=${address} aria-current=${isOn ? 'true' : undefined}>
      ${tone !== '' && renderIcon(tone)}${tone === '' ? 'All' : TONES[tone]} <b>${content.counts[tone]}</b>
    </a>
  </li>`;
}

const linkToDay = (date: LocalDate, text = renderDay(date)): Html =>
  html`<a href=${`#d${date.slice(8)}`}>${text}</a>`;

/** Renders what to look at: blackout days with a post, posts that are too close, and days without one. */
function renderFindings({ content, reader }: MonthPage): Child {
  const dateOf = ({ at }: PlanPost) => getLocalDate(at, reader.zone);
  const close = Map.groupBy(content.collisions.keys(), dateOf);
  const onBlackouts = Map.groupBy(content.onBlackouts, ({ planned }) => dateOf(planned));
  const findings = [
    ...[...onBlackouts].slice(0, MAX_FINDINGS).map(([date, [first, ...others]]) => {
      const { name = '' } = first?.blackout ?? {};
      return html`<li>${linkToDay(date)} is a blackout day${name && html`<span> (<bdi>${name}</bdi>)</span>`} and has ${others.length === 0 ? 'a post' : renderCount(others.length + 1, 'post')}</li>`;
    }),
    ...[...close].slice(0, MAX_FINDINGS).map(([date, [first, ...others]]) => {
      const before = first && content.collisions.get(first);
      return others.length === 0 && first && before
        ? html`<li>${linkToDay(date, `${renderDay(date)}, ${renderClock(first.at, reader)}`)} is ${renderCollision(first, before, reader)}</li>`
        : html`<li>${linkToDay(date)} has ${others.length + 1} posts less than 30 min after another</li>`;
    }),
    ...content.gaps
      .slice(0, MAX_FINDINGS)
      .map(
        ({ from, to, count }) =>
          html`<li>${linkToDay(from, `${renderDay(from)} – ${renderDay(to)}`)}: nothing planned for ${count} days</li>`,
      ),
  ];
  if (findings.length === 0) return undefined;
  return html`<details class="look" open>
    <summary>${renderCount(findings.length, 'thing')} to look at</summary>
    <ul>${findings}</ul>
  </details>`;
}

function renderCollision(planned: PlanPost, before: PlanPost, reader: PageReader): string {
  const minutes = Math.round((planned.at.getTime() - before.at.getTime()) / 60_000);
  const shared = planned.post.platforms.filter((name) => before.post.platforms.includes(name));
  const names = renderPlatformNames(shared);
  return minutes === 0
    ? `at the same time as another one on ${names}`
    : `${minutes} min after ${renderClock(before.at, reader)} on ${names}`;
}

/** Says which posts the page may lack, and why. */
function renderDoubts({ plan, projects, hasMoreProjects, leftOutCount }: MonthPage): Child {
  const { unread, isTruncated, unreadableCount } = plan;
  const doubts = [
    ...unread.map(
      ({ name }) =>
        html`<li>I couldn’t read the posts that the scheduling service has for <bdi>${name}</bdi>. Only those that I keep are shown.</li>`,
    ),
    leftOutCount > 0 &&
      html`<li>I show ${projects.length - leftOutCount} of ${projects.length} projects. Choose one above to see its posts.</li>`,
    hasMoreProjects && html`<li>You may see more projects than I could read.</li>`,
    isTruncated && html`<li>There are more posts than I can read, so some are missing.</li>`,
    unreadableCount > 0 &&
      html`<li>I couldn’t read ${renderCount(unreadableCount, 'post')} of the scheduling service.</li>`,
  ].filter(Boolean);
  return doubts.length > 0 && html`<div class="doubts" role="status"><ul>${doubts}</ul></div>`;
}

function renderEmpty({ query, content }: MonthPage): Html {
  const isFiltered = query.state !== '' || query.platform !== '' || query.author !== '';
  const all = buildMonthAddress({ ...query, state: '', platform: '', author: '', day: '', page: 0 });
  return isFiltered
    ? html`<p class="none">No post matches. <a href=${all}>Show all</a></p>`
    : html`<p class="none">${content.counts.cancelled > 0 ? 'All posts of this month are cancelled.' : 'No posts this month yet.'}</p>`;
}

/**
 * Finds which posts of each day are shown: all, unless the page would become too large. If there is room, a day shows one
 * more than the limit instead of a link to it, which takes as much.
 */
function chooseShown(
  days: readonly ShownDay[],
  maxItems: number,
): (posts: ShownDay['posts']) => ShownDay['posts'] {
  const choose = (limit: number, tolerance: number) => (posts: ShownDay['posts']) =>
    posts.length <= limit + tolerance ? posts : posts.slice(0, limit);
  for (let limit = MAX_DAY_ITEMS; limit > 0; limit -= 1) {
    const shown = choose(limit, 1);
    if (days.reduce((sum, { posts }) => sum + shown(posts).length, 0) <= maxItems) return shown;
  }
  return choose(1, 0);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function renderGrid(page: MonthPage): Html {
  const { days } = page.content;
  const { firstDay, weekend } = findWeek(page.reader.locale);
  const weekdays = WEEKDAYS.map((_, index) => (firstDay + index) % 7);
  const column = (getWeekday(days[0]?.date ?? '') - firstDay + 7) % 7;
  const maxItems = page.query.project === ALL_PROJECTS ? MAX_ITEMS_OF_ALL : MAX_ITEMS;
  const choose = chooseShown(days, maxItems);
  const shownCount = days.reduce((sum, { posts }) => sum + choose(posts).length, 0);
  const maxSlots = shownCount > maxItems - 10 ? 1 : MAX_SLOTS;
  return html`<div class="cal">
    <ol class="wd" aria-hidden="true">
      ${weekdays.map((day) => html`<li class=${weekend.includes(day) ? 'we' : undefined}>${WEEKDAYS[day]}</li>`)}
    </ol>
    <ol class=${`grid st${column}`}>
      ${days.map((day) => renderDayCell(page, day, { shown: choose(day.posts), maxSlots, isWeekend: weekend.includes(getWeekday(day.date)) }))}
    </ol>
  </div>`;
}

function renderDayCell(
  page: MonthPage,
  day: ShownDay,
  { shown, maxSlots, isWeekend }: { shown: ShownDay['posts']; maxSlots: number; isWeekend: boolean },
): Html {
  const { date, posts, blackouts, isToday } = day;
  const freeSlots = day.freeSlots.slice(0, maxSlots);
  const isEmpty = posts.length === 0 && freeSlots.length === 0 && blackouts.length === 0 && !isToday;
  const classes = {
    we: isWeekend,
    past: day.isPast,
    now: isToday,
    off: blackouts.length > 0,
    empty: isEmpty,
    many: posts.length > 3,
  };
  const rows = [
    ...shown.map((planned) => ({ at: planned.at, row: renderItem(page, planned) })),
    ...freeSlots.map((slot) => ({ at: slot.instant, row: renderFreeSlot(slot, page.reader) })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return html`<li
    class=${['d', ...Object.entries(classes).flatMap(([name, isOn]) => (isOn ? [name] : []))].join(' ')}
    id=${`d${date.slice(8)}`}
  >
    <h2>
      <time datetime=${date}><span class="dw">${renderDay(date).slice(0, 3)} </span><b>${Number(date.slice(8))}</b></time>
      ${isToday && html`<span class="td">Today</span>`}
    </h2>
    ${blackouts.map(renderBlackout)}
    ${rows.length > 0 && html`<ol class="ps">${rows.map(({ row }) => row)}</ol>`}
    ${
      posts.length > shown.length &&
      html`<a class="more" href=${buildMonthAddress({ ...page.query, day: date.slice(8), page: 0 })}>${posts.length - shown.length} more<span class="vh"> on ${renderDay(date)}</span></a>`
    }
  </li>`;
}

function renderBlackout({ name, projects }: ShownDay['blackouts'][number]): Html {
  const place = joinWithAnd(projects);
  return html`<p class="bo">Blackout${place && html`<span> for <bdi>${place}</bdi></span>`}${name && html`<span>: <bdi>${name}</bdi></span>`}</p>`;
}

function renderItem({ query, content, reader }: MonthPage, planned: PlanPost): Html {
  const before = content.collisions.get(planned);
  return renderPostItem(planned, {
    reader,
    hasProject: query.project === ALL_PROJECTS,
    note: before && capitalize(renderCollision(planned, before, reader)),
  });
}

function renderFreeSlot({ instant, platforms }: FreeSlot, reader: PageReader): Html {
  const isForAll = platforms.length === PLATFORMS.length;
  return html`<li class="fs"><time>${renderClock(instant, reader)}</time> free ${isForAll ? 'on all platforms' : renderPlatforms(platforms)}</li>`;
}

function renderKey({ platforms }: MonthContent): Html {
  const short = platforms.filter((name) => renderShortName(name) !== renderPlatformNames([name]));
  return html`<dl class="key">
    ${
      short.length > 0 &&
      html`<div>
        <dt>Platforms</dt>
        <dd>${short.map((name) => html`<span><abbr>${renderShortName(name)}</abbr> ${renderPlatformNames([name])} </span>`)}</dd>
      </div>`
    }
    <div>
      <dt>Days</dt>
      <dd>
        <span><i class="sw we"></i> weekend </span><span><i class="sw off"></i> blackout day </span>
        <span><i class="sw now"></i> today </span><span>${renderIcon('slot')} free slot </span>
      </dd>
    </div>
  </dl>`;
}
