import type { Shown } from '../history.ts';
import { joinScopes, listPlatforms, PLATFORMS, readScope } from './platforms.ts';
import { toSkeleton } from './skeleton.ts';

/** What a text claims of one post, in the words of the people who read it. */
export type Claim =
  /** The scheduling service has the post, and publishes it. `when`: the stated time, as it is written. */
  | { kind: 'at-service'; when?: string }
  /** The service has the texts of these platforms, of so many that the post has. */
  | { kind: 'on-platforms'; sent: readonly string[]; count: number; total: number }
  /** It goes out at this time, unless somebody changes that. */
  | { kind: 'has-time'; when?: string }
  /** The service doesn't have the post now. */
  | { kind: 'not-at-service' }
  /** It doesn't go out unless somebody acts. */
  | { kind: 'will-not-be-sent' }
  /** Upnext sends no further request for it unless somebody acts. An earlier request may still arrive. */
  | { kind: 'not-sent-again' }
  /** The post may be at the service or not, and Upnext doesn't make it two. */
  | { kind: 'not-sent-twice' }
  /** Upnext has looked for the post at the service, and found none. */
  | { kind: 'not-found' }
  | { kind: 'published' }
  | { kind: 'not-published' }
  /** Upnext has the text. A history can't refute this; checks of the database can. */
  | { kind: 'kept' }
  /** Upnext sends it without anybody. At the end of a simulation it has, or people have read otherwise. */
  | { kind: 'to-be-sent' }
  /** It waits only for somebody who resumes its project. */
  | { kind: 'stopped' }
  /** The app says that it doesn't know. */
  | { kind: 'uncertain' };

/** The claims of one sentence about one post. */
export interface Statement {
  token: string;
  claims: readonly Claim[];
  sentence: string;
  /** Everything that the text says about this post, for its times and whether it is a draft. */
  context: string;
  /** The platforms that it is about, if it isn't about the whole post. */
  platforms?: readonly string[];
}

interface Sentence {
  /** Matches a whole sentence. The groups: the stated time, platforms, and of how many. */
  pattern: RegExp;
  claims: readonly Claim['kind'][];
  /** Another sentence about the same post that takes the claims back. */
  unless?: RegExp;
  /** A heading is about all posts below it, up to the next heading. `default`: unless the row of a post says more. */
  heading?: 'all' | 'default';
}

const WHEN = '(?<when>.+?)';
const ABSENT = ['not-at-service'] as const;
/** The post waits for a person. */
const STUCK = ['not-at-service', 'will-not-be-sent'] as const;
/** It waits for a person, and its text is safe. */
const PARKED = ['not-at-service', 'will-not-be-sent', 'kept'] as const;
/** Upnext has the post, and sends it without anybody. */
const WAITING = ['not-at-service', 'kept', 'to-be-sent'] as const;
const DOUBT = ['uncertain', 'not-sent-again'] as const;

/** A sentence with these claims. `text`: the source of a pattern for the whole sentence. */
function claim(
  claims: readonly Claim['kind'][],
  text: string,
  more: Omit<Sentence, 'pattern' | 'claims'> = {},
) {
  return { pattern: new RegExp(`^(?:${text})$`, 'u'), claims, ...more };
}

const SENTENCES: readonly Sentence[] = [
  // Submissions: what became of a post that was sent to the service, or is about to be.
  claim(['kept'], 'Saved\\.|Saved|You’ve already (saved this post|sent this)\\.'),
  claim(
    ['kept', 'uncertain'],
    '(⏳ )?Sending…|I’m sending it, and the scheduling service hasn’t answered yet\\.',
  ),
  claim(WAITING, 'Saved, not sent yet(?:\\.|: the service refuses my access, and the Owners know\\.)'),
  // An earlier attempt may have arrived, and people can read that only from "again".
  claim(
    ['kept', 'uncertain'],
    'Saved, not sent again yet(?:\\.|: the service refuses my access, and the Owners know\\.)',
  ),
  claim(['to-be-sent'], 'I’ll keep (re)?trying( for 24 hours| until its time)?\\.'),
  claim(
    ['uncertain'],
    'The service didn’t confirm it, so I’m checking\\.|Checking… The service hasn’t answered yet\\.',
  ),
  claim(['not-sent-twice'], 'I won’t send it twice\\.'),
  claim(['uncertain'], 'I don’t know whether your (post|draft) was sent(, and its time has passed)?\\.'),
  claim(DOUBT, 'I don’t know whether your (post|draft) was sent, and won’t send it again\\.'),
  claim(['uncertain', 'not-found'], 'I couldn’t find your post after 2 minutes\\.'),
  claim(DOUBT, 'It may still turn up, so I won’t send it again\\.'),
  claim(
    ['uncertain'],
    'The service didn’t confirm it, and (now lists more than one post like yours|I can’t (tell|check) whether it has your post)\\.',
  ),
  claim(DOUBT, 'Check (there before you send it again|the service before you make another)\\.'),
  claim(
    DOUBT,
    'Not sent again yet\\.|Not sent again|There’s a newer change, so I won’t send this one again\\.',
  ),
  claim(['uncertain'], 'The service lists a post like yours, and I can’t tell whether it’s this one\\.'),
  claim(['not-sent-again'], 'I won’t send it again\\.'),
  claim(
    DOUBT,
    'My data was restored from a backup, so (I don’t know whether your post was sent|the service may have (it already|published it))\\.',
  ),
  // The service's answer is the fact here. With its edit limit, nobody expects a draft to go out.
  claim(['at-service'], `Scheduled for ${WHEN}\\.`),
  claim(['at-service'], `scheduled as ${WHEN}`),
  claim(['at-service'], '\\d+ posts scheduled', { heading: 'all' }),
  claim(['kept', 'will-not-be-sent'], 'Saved as a draft( for .+)?\\.?|\\d+ posts saved'),
  claim(STUCK, 'Not sent\\.?', { unless: /Not sent again/ }),
  claim(STUCK, 'Its time has passed, so I didn’t send it\\.'),
  claim(['kept'], 'Your text is below\\.'),
  claim(['kept', 'stopped'], '(⏸️ )?Stopped|Sending is stopped, so it waits\\.'),
  claim(['kept'], 'Sending is stopped, so it also waits for that\\.'),
  claim(['kept', 'to-be-sent'], 'I’ll send it if that ends in time\\.'),
  claim(['kept', 'to-be-sent'], 'I couldn’t check whether it may be sent, so I’ll keep trying\\.'),
  // "I" is Upnext: a request before the press may still arrive, but people read that nothing goes out.
  claim(['will-not-be-sent'], 'Discarded\\.?', { unless: /the service may have it/u }),
  claim(['will-not-be-sent'], '(An operator has switched this off, so )?I won’t send it\\.'),
  claim(DOUBT, '(Discarded\\. )?I won’t send it again, but the service may have it\\.'),

  // Results of forms.
  claim(STUCK, 'Not (saved|sent), and nothing was (sent|saved)\\.'),
  claim(['uncertain'], 'I’m not sure this was saved\\.'),
  claim(['at-service'], 'The post has gone to the scheduling service, so it can no longer be edited\\.'),
  claim(
    ['uncertain'],
    'I’ve begun to send the post to the scheduling service meanwhile, so this form can’t change it any more\\.|I’m sending the post to the scheduling service, so this came too late\\.',
  ),
  // A repeated form: its first version is on its way, and this text isn't.
  claim(['uncertain'], 'Your change isn’t saved\\.|I was already sending your earlier version\\.'),
  claim(['uncertain'], 'Another text from this form was saved after you sent this one\\.'),
  claim(['will-not-be-sent'], 'Somebody has cancelled the post\\.'),

  // Posts with texts of their own for some platforms.
  claim(
    ['on-platforms'],
    `Scheduled on (?<count>\\d+) of (?<total>\\d+) platforms: (?<sent>${PLATFORMS})\\.`,
  ),
  claim(['will-not-be-sent'], `(Not on|It won’t be sent to) (?<about>${PLATFORMS})\\.`),
  claim(['uncertain'], `I don’t know whether ${PLATFORMS} got it\\.`),
  claim(['at-service'], `(?<about>${PLATFORMS}) already (has|have) it, and I can’t remove it there\\.`),

  // What a press would do.
  claim([], 'Editable until .+ before it goes out\\.'),
  claim(STUCK, 'Ready to send for review\\?'),

  // A command that failed, with what was typed.
  claim([], 'If it keeps happening, give your admin this reference: .+|You typed:'),
  claim([], '(Something went wrong|I can’t reach my database|That took longer than Slack waits)\\..+'),
  claim([], 'My database didn’t answer, so I’m not sure this was done\\. Check before you try again\\.'),

  // Held posts: the card, everywhere.
  claim(['has-time'], `(It has the slot|Moved to the slot|Saved for) ${WHEN}\\.`),
  claim(WAITING, 'Editable until .+'),
  claim(WAITING, 'I’ll hand it over to the scheduling service in time\\.'),
  claim(PARKED, 'It isn’t sent until somebody schedules it\\.'),
  claim(STUCK, 'It wasn’t sent\\.|The service doesn’t have it\\.'),
  claim(STUCK, '(❌ )?(Not accepted|Not sent|Not allowed)', { unless: /Not sent again/ }),
  claim(STUCK, '❌ Overdue'),
  claim(STUCK, 'Neither its author nor an approver may schedule it now\\.|(🙋 )?Nobody may schedule it'),
  claim(STUCK, '(❌ )?Not approved in time|It wasn’t approved in time, so I didn’t send it\\.'),
  claim(['will-not-be-sent'], 'Another scheduling service was connected than the one it was written for\\.'),
  claim(['will-not-be-sent'], 'It won’t be sent\\.|(📝 )?(Rejected|Changes requested)|Deleted|Cancelled\\.'),
  claim(
    ['will-not-be-sent'],
    '(🚫 )?Cancelled with its series|It won’t be sent, because its series was paused, cancelled or changed\\.',
  ),
  claim(['will-not-be-sent'], 'Cancelled', { heading: 'default' }),

  // Reviews. The approval that a text waits for is somebody's act.
  claim(
    STUCK,
    '(Please review this post|This post (still )?waits for your review\\.|Sent for review\\.?|Waiting for review)',
  ),
  claim(STUCK, 'Without approval by .+, it isn’t sent\\.'),
  claim(STUCK, 'This post wasn’t approved in time, so I didn’t send it\\.'),
  claim(ABSENT, 'I couldn’t check all approvals yet\\.|Approvals not checked yet'),
  claim(ABSENT, 'Approval no longer counts|Whoever approved it may no longer do so\\.'),
  claim(ABSENT, 'It isn’t sent without another approval, and I’ll ask for one before its hand-over\\.'),

  // The status in cards, lists, digests and Home. "Pending" is a request in flight, too, and "Failed" a failed publication.
  claim(['at-service'], '🗓️ Scheduled|Scheduled post|Scheduled'),
  claim(['published'], '✅ Published|Published post'),
  claim(['published'], 'Published', { heading: 'default' }),
  claim(['kept'], '(⏳ )?Waiting'),
  claim(['uncertain'], '(❔ )?(Checking…|Not sure|Restored from a backup)'),
  claim(['not-published'], '❌ Failed|Failed'),
  claim(['not-published'], 'The service couldn’t publish it\\.'),
  claim(WAITING, '✏️ Editable( until .+)?'),
  claim(STUCK, '👀 Waiting for review'),
  claim(
    ['will-not-be-sent'],
    '(🙋 )?(Needs a decision|Taken back|For another service)|🚫 Cancelled|📝 Draft',
  ),

  // Whether posts went out.
  claim(['published'], '✅ Published( on .+)?|Published on .+|(\\d+|One) of your posts: Published\\.?', {
    heading: 'all',
  }),
  claim(['not-published'], '❌ Failed on .+|Failed on .+|\\d+ of your posts: Failed\\.?', { heading: 'all' }),
  claim(['at-service', 'not-published'], '⚠️ Overdue( on .+)?\\.?'),
  // The title of a card, which says below why the post didn’t go out.
  claim(['not-published'], 'Overdue( on .+)?\\.?'),
  claim(['not-published'], '\\d+ of your posts: Overdue\\.?', { heading: 'all' }),
  claim(['at-service'], 'The service still lists it as scheduled\\.'),
  claim(['uncertain'], '(❔ |⏳ )?Not confirmed( yet| on .+)?\\.?|\\d+ of your posts: Not confirmed\\.?', {
    heading: 'all',
  }),
  claim(
    ['uncertain'],
    '(I couldn’t find out|Its time has passed, and I don’t know yet) whether it went out\\.',
  ),
  claim(
    ['at-service', 'not-published'],
    'Your post for .+ was due .+, but the scheduling service still lists it as scheduled\\.',
  ),
  claim(
    ['not-published'],
    'Your post for .+ was due .+, but the scheduling service doesn’t list it as published\\.',
  ),

  claim(['not-published'], 'One post (is overdue|failed):'),
  claim(['will-not-be-sent'], 'One draft is due soon:'),

  // Several posts: results of a stop, a resumption and of buttons for a whole list.
  claim(['at-service'], 'The scheduling service has (at least )?\\d+ posts? to publish\\.', {
    heading: 'all',
  }),
  claim(['uncertain'], '\\d+ submissions? (was|were) on the way to the service:', { heading: 'all' }),
  claim(STUCK, 'I won’t send (it|them) late\\.', { heading: 'all' }),
  claim(['kept', 'stopped'], '(One|\\d+) of your posts waits? until it’s resumed:', { heading: 'all' }),
  claim(['kept'], '(One|\\d+) of your posts (goes|go) out as planned:', { heading: 'all' }),
  claim(
    ['will-not-be-sent'],
    '(\\d+ posts? of yours missed (its|their) time|It missed its time), and won’t be sent:',
    { heading: 'all' },
  ),
  claim(['will-not-be-sent'], '@\\S.* cancelled \\d+ of your posts:', { heading: 'all' }),
];

/** Sentences and lines without a claim about the post that they are shown with. */
const IGNORED: readonly RegExp[] = [
  // Advice, and what a button or a press did.
  /^(Your text is (above|still here)|Edit it, (and I’ll send it|then send it for review) again|Pick a new time( to ask again)?|A Publisher can take it over|Check there first|You can (edit it and send it for review again|undo this .+|still approve it for a new time)|Its author can change it|Its reviewers can still approve it, or you pick a new time and I’ll ask them again|Try again|Something went wrong|Please try again in a minute|Save again to replace that change|Submit again to replace it)\.$/u,
  /^(Sending it again won’t post it twice|I’ll DM you as soon as I know|I’ll let you know when it’s done|I’ll check again before its time|Sending is stopped .+|Send them to .+|You’ve changed this since|I keep this post again: .+|I no longer keep this post|This post is in review|After you save it, .+|It’s sent for review first.*|If nobody approves it by .+|Create one in the scheduling service first|To schedule posts, request .+)\.$/u,
  /^(This (post |button )?(has changed since|isn’t .+|is .+)|This has changed since|Moved( back)?|Changed|Post|Your comment is in the history|Shared with .+|Not shared|I already shared this in .+|I’ve just begun to share .+|That message changes with the post|You opened this post in the form|You wrote this post.*|You’ve (edited|already approved) this.*)\.?$/u,
  /^(This message won’t change when you (submit|schedule) the .+|I sent you a newer message about this|Done|You can close this form|This is how it is now|This is what you wrote:|Needs you.*|\d+ .+ needs? a decision, each for this reason:|Draft|Approved|No review needed|Editable)\.?$/u,
  // Rules about posts in general, and the service's reasons.
  /^(You (?:can’t (?:edit or delete|approve)|can no longer edit or delete) .+|The scheduling service publishes it at its time|The scheduling service has it(?:, so duplicate it to schedule it)?|It went out|Editable until .+ before it goes out|That’s less than .+ away, so I’ll schedule it at once|A post less than .+ away is scheduled at once|Its reviewers are asked again|Nobody who may review it .+|This project has no reviews.+|I found nobody who may approve (it|them).+|A Manager .+|(?:They|It|\d+ of them) still waits? for another approval|(?:They|It|\d+ of them) (?:waits? for a review|needs? a new time, because (?:its|their) time has passed)|I’m doing that already|If nothing happens, press again in 10 minutes|There’s nothing to review here any more|Request changes if the post should move|Please review them|A post that isn’t approved in time isn’t sent|They need an approval before they go out, so I sent them for review|See all with \/upnext posts review(, .+)?)\.$/u,
  /^(The (scheduling )?service (is unavailable|isn’t answering|didn’t .+|hasn’t .+|asks .+|refuse[sd] .+|says .+|doesn’t know .+|lists .+)|My access token .+|An Owner .+|This is too large .+|I couldn’t (send it|check).+|One field needs .+|\S+ fields need .+|You no longer have permission.+|The service’s reason: .+|I couldn’t find out why|Choose another time, and I’ll schedule a copy|Check (there|in the service) before you schedule a copy|Check there .+|As of .+|Change (it|them) there)\.?$/u,
  // What the service has instead of what an edit made of it.
  new RegExp(`^${PLATFORMS}: with the earlier .+\\.$`, 'u'),
  // What follows a press, what was settled or takes long, and how things are at the end of a history.
  /^(This is settled: .+|I’ve asked again below|The step before is approved, so it’s your turn .+|The check of .+ can take a few minutes|If no result follows, send it again: .+|.+: (?:not )?checked|I’ll schedule it at once, and .+|Another approval has to follow|I couldn’t find out whether another approval has to follow|Without (?:it|all approvals) by .+, it isn’t sent|Sending is stopped for this project|Approve the post after that|Now: .+|A post less than .+ away has until its time|From the next one on, .+|(Written|Edited) by .+)\.?$/u,
  // Facts and headings without a state.
  /^(Last tried .+|I’ll (retry|try|wait|send it when) .+|Stopped by .+|Author: .+|(\S+ picture )?([Aa]pproved|[Ss]cheduled|Draft|Sent) by .+|by .+|(Post|Draft) for .+|Waiting for .+|(?:@.+|A stand-in) can approve it instead(?: of one of them)?\.|Step \d+ of \d+\.|@.+ (approved this version(, but may no longer approve it)?|rejected it|requested changes)[.:]?|Its time is .+|Status|History|What changed since the last version|Change with .+|For you: .+|Text for .+:|(\S+ )?Partly scheduled|The slot you saw isn’t free, so it has the next one:|Also at:|Next|Next: .+|\+\d+ at the same time|copied as another draft|Up next|Next seven days.*|Later|Outbox|Posts that wait for you|Waiting for your review|Not published yet|Past|Drafts without a date.*|Without a date|Practice .+|Author:|Times in .+|(No|Unreadable) .+|Text from a .+|From a template:.*|(Which|Move this|Move which) .+\?|New times:|I can’t edit, move or cancel a scheduled post\.|Posts that the scheduling service has can’t be edited.+|\d+ more until .+|\d+ posts? to go.*|Since the last digest:.*|(New|Moved|Rewritten|Removed):.*)$/u,
  // Who did something, in notices and histories: about the past.
  /^(• )?(@.+|I|You|It|An edit|Its approvals|Its series|This happened to your post:|New on a post you worked on:|For @.+:)( (wrote|edited|moved|commented|sent|approved|requested|rejected|voided|scheduled|cancelled|restored|took|asked|handed|returned|came|are|needs).*)?$/u,
  /^.+ ((stopped|resumed) sending for .+|discarded a post of yours for .+)\.$/u,
  /^(• )?(Text|Time|Platforms|Media|Template|Prompt|Status): .+ → .+$/u,
  // The field of a reason of the service, a field that changed, and an outdated form: an earlier one may have been sent.
  /^((• )?Schedule date:.*|Status: (scheduled|draft)|This form is out of date\. Nothing was sent\.|Type \/schedule-post for a new one\.)$/u,
  /^\d+ (of these posts|posts? (moved|cancelled|approved|in this list|missed|discarded|goes?|waits?|has|have)).*$/u,
  /^(What should happen to (it|them)\?|Hand it over now\?|Somebody changed these meanwhile, so I didn’t discard them:|Find and restore them .+|See them with .+|…and .+|.+: \d+ (\S+ )?(posts?|drafts?)\b.*|Nothing (pending|else pending|is on its way to the service)\.|Upnext can’t stop these|I’ll send nothing more for .+|New posts are saved and wait\.)$/u,
  // Answers to presses, and what is said of a whole project.
  /^(Sending is stopped, so \d+ posts? waits? for that to end|There may be more|I couldn’t (find out yet who may approve it|load .+|read .+)|The scheduling service of its project isn’t connected now, so nothing was done|Approve (it for a new time instead|the post after that)|Pick a later time|See (what’s scheduled|the whole text) .+|Press the button again: it’s saved only once|Somebody changed this post .+|Not saved|You can only save drafts .+|Duplicate it to schedule a copy; the draft stays|Nothing (was discarded|is scheduled.*|(new )?goes out.*)|All drafts|Still drafts|.+ is (stopped|resumed|no longer stopped)( already)?|.+ isn’t stopped|An operator has stopped all sending too, .+|I’m asking the scheduling service .+|I don’t know which posts the service already has.*|Posts that the scheduling service already has still go out.+|Other people’s posts are included .+|These are only the posts that I keep|This digest is late|Connected to the scheduling service|This workspace isn’t connected .+|I may not connect .+)[.?]?$/u,
  /has been stopped since .+, so nothing new goes out\.$/u,
  // Fields of forms and of Home, pictures, and what is said before a post is sent.
  /^(.+ \/ .+ \(.+\)|(Plain|Shop|Checked) [AB](, .+)?\.?|\S+ Draft|Calendar of .+|\w{3} \d+ \w{3}.*: .+|[✓✗] .+|Schedule a post|Preview|Move to…|SENT|\d+ drafts?|• .+:|Save as draft \(Save as draft\)|Schedule a post, or save a draft\.|It never goes to the service\.)$/u,
  /^(Choose a project to see .+|To schedule several posts, list several times: .+|Pick a later one|.+, so this list may be old or incomplete|I’ll save what you submit and send it when I can|Another .+ post goes out .+|The same text goes out .+|.+ may refuse it, so vary it|.+ (refuses|may refuse) the same text .+|Vary it for each post|Slots need a project .+|Enter another time to keep them apart|Enter a time such as .+|The service gets it now and publishes it at its time|You can’t edit or cancel it from Slack after that|I didn’t understand .+|(At least )?\d+ \w+( and \d+ drafts?)? (is|are) waiting( in your outbox)?|You have an unsaved post from .+|You can only save drafts)\.$/u,
  /^Schedule$/u,
  // A post whose service isn't connected.
  /^(Its project isn’t at the scheduling service that’s connected now\.|I’ll go on with it when it’s there again\.)$/u,
  // What would happen to a copy, and what fails in between.
  /^(Duplicate it with the new text or time, then delete the original .+|Otherwise both will be published\.|Another post goes out on .+ at the same time\.|If this is its new version, .+|Schedule the first one with .+|The scheduling service answered, but I can’t read its answer\.|(• Status: )?(scheduled|SCHEDULED)|This post has changed since, so nothing was done\..*)$/u,
  // What a press reaches, and which posts are too close.
  /^(An approval also counts for .+|You approved an earlier step of this review, .+|You approve each post as it is here|\d+ more posts? (doesn|don)’t fit here, .+|These posts are too long to be shown together|Open (each|it|them) from the list|(:warning: )?I can’t change .+ any more, so (it goes|they go) out as planned|To stop that, remove .+|(Two of these times are only|Another (post|row)( on its platforms)? (goes out|has)) .+|Enter another one to keep them apart|Vary it|This takes longer than usual|What you asked for follows|Still waiting…|Restored)\.?$/u,
  // What a resumption would do, and of whose posts it is the result.
  /^(Resume .+\?|\d+ posts? go(es)? out as planned when you resume\.|Nothing else is waiting\.|\d+ of your posts for .+:|Repeating posts need .+\.|My data was restored from a backup, so the service may have them already\.)$/u,
  // The check of an import.
  /^(Nothing is imported yet\.|\d+ (posts?|drafts?).* for .+:|(Each (post|draft)|Posts for .+):( .+)?|You can undo (the whole import until|only what hasn’t) .+)$/u,
  // Series: their rules, and what became of all their posts. `check-series.ts` and `series.ts` check those.
  /^(Series( paused| cancelled| ended| deleted)?|None of its posts goes out.*|Only the .+ that somebody restored .+|No more of its posts go out|You can undo this for .+|Change or cancel single ones .+|It keeps its time .+|Somebody cancelled its later posts|I make its posts .+|The clocks (skip|show) .+|.+ so none of its posts goes out|A Publisher can take it over, .+|The project no longer keeps posts .+|Change that with .+|The workspace connected another .+|Resume the series .+|My data was restored from a backup, so posts may have gone out that I don’t know of|Check, then resume the series|I paused a series|A series (missed (a date|dates)(, and will run out of texts)?|will run out of texts)|@.+ (paused|cancelled|changed) your series)\.?$/u,
  /^(\d+ posts? (won’t go out|(has|have) gone to the scheduling service, or .+)|The edit is undone|I wasn’t running in time, .+|I post nothing late|This series .+|This is how it is now|Its reviewers are asked .+|Its last date has passed|Posts that somebody has edited, moved or cancelled stay as they are|For several texts in turn, .+|Somebody has changed, paused or cancelled .+|Open the series again .+|Posts can repeat only .+|Turn that on .+|The scheduling service gets (it|each) .+|.* from \d+ \w+.*|(every|weekdays|every other) .+|To turn that on, .+|.+ on x for .+:|Ask a Manager .+)\.?$/u,
];

/** Lines under which no heading applies any more. */
const RESET =
  /^(Not published yet|Past|Drafts without a date.*|Without a date|With an unreadable date|Later|Outbox|Needs you|Posts that wait for you|Somebody changed these.*|\d+ posts? (moved|cancelled|approved).*)$/u;

const TOKEN = /§[a-z]+\d+/gu;

/** Lists the tokens of a text, each once. */
export const findTokens = (text: string): string[] => [...new Set(text.match(TOKEN) ?? [])];

/** The check of an import says what its press would do. */
const CHECK = 'Nothing is imported yet.';

/** Reads what a text claims of each post that it clearly shows. */
export function readStatements(shown: Shown): Statement[] {
  if (shown.text.includes(CHECK)) return [];
  let below: Pick<Statement, 'claims' | 'sentence'> | undefined;
  let isDefault = false;
  return readRows(shown).flatMap(({ token, sentences }) => {
    const context = sentences.join('\n');
    // Where some platforms have the post, its status is about the others.
    const rest = sentences.flatMap((each) => readScope(each).platforms ?? readClaims(each)?.about ?? []);
    const found: Statement[] = [];
    for (const text of sentences) {
      const known = readClaims(text, context);
      const { sentence } = readScope(text);
      if (!known) {
        if (RESET.test(sentence)) below = undefined;
        continue;
      }
      const { claims, heading } = known;
      const isOfAll = claims.some(({ kind }) => kind === 'on-platforms' || kind === 'at-service');
      const about = known.about ?? (isOfAll || rest.length === 0 ? undefined : rest);
      if (heading === undefined)
        found.push({ token, claims, sentence, context, ...(about && { platforms: about }) });
      else [below, isDefault] = [{ claims, sentence }, heading === 'default'];
    }
    return below === undefined || (isDefault && found.length > 0)
      ? found
      : [{ token, ...below, context }, ...found];
  });
}

/** Reads the claims of a sentence, and the platforms that it is about. Undefined if it isn't known. */
function readClaims(text: string, context = '') {
  const { sentence, platforms } = readScope(text);
  const known = SENTENCES.find(({ pattern, unless }) => pattern.test(sentence) && !unless?.test(context));
  if (!known) return undefined;
  const { when, about, sent = '', count, total } = known.pattern.exec(sentence)?.groups ?? {};
  const claims = known.claims.map((kind): Claim => {
    if (kind === 'on-platforms')
      return { kind, sent: listPlatforms(sent), count: Number(count), total: Number(total) };
    return (kind === 'at-service' || kind === 'has-time') && when !== undefined ? { kind, when } : { kind };
  });
  return { claims, heading: known.heading, about: about === undefined ? platforms : listPlatforms(about) };
}

/** Lists sentences about posts that neither table knows, without what differs between messages. */
export function findUnknownSentences(shown: Shown): string[] {
  return readRows(shown)
    .flatMap(({ sentences }) => sentences.map((text) => readScope(text).sentence))
    .filter((sentence) => STATE_WORDS.test(sentence))
    .filter((sentence) => !KNOWN.some((pattern) => pattern.test(sentence)))
    .map(toSkeleton);
}

const KNOWN = [...SENTENCES.map(({ pattern }) => pattern), RESET, ...IGNORED];
const STATE_WORDS =
  /sent|send|schedul|publish|sav|kept|keep|cancel|discard|hand|review|approv|wait|draft|service|late|fail|went|go(es)? |uncertain|pending|editable|mov|stop|reject|delet|restor/iu;

/** A text that came too late, with its heading. It may be another post than the one that was sent, which is shown too. */
const LATE_TEXT = /^This is what you wrote:\n.*\n/gmu;

/** What an empty form offers to continue. The fields below it are another post's. */
const OFFER = /^You have an unsaved post from .*\n.*§/mu;

/**
 * Splits a text into the rows of its posts. All lines are about the only post. In a list, a row ends with the line that
 * quotes the post, because every list of Upnext shows the state above the text.
 */
function readRows({ text: wholeText, surface }: Shown): { token: string; sentences: string[] }[] {
  const text = wholeText.replace(LATE_TEXT, '');
  const tokens = findTokens(text);
  const lines = text.split('\n');
  // The field of a form shows the post as its value. Only the banner above says something about it.
  const isInput = surface === 'form' && lines.some((line) => /^\(.*§[a-z]+\d/u.test(line));
  const shownLines = surface === 'errors' ? [] : lines.filter((line) => isAboutText(line, isInput));
  const [only] = tokens;
  if (only === undefined) return [];
  if (tokens.length === 1 && !OFFER.test(text))
    return [{ token: only, sentences: shownLines.flatMap(splitLine) }];
  const rows: ReturnType<typeof readRows> = [];
  let sentences: string[] = [];
  for (const line of shownLines) {
    sentences.push(...splitLine(line));
    const [token, ...others] = findTokens(line);
    if (token === undefined) continue;
    // A line about two posts, such as a difference, says nothing clear.
    if (others.length === 0) rows.push({ token, sentences });
    sentences = [];
  }
  return rows;
}

/** Home names posts that wait for somebody by their project and time, without their text. */
function isAboutText(line: string, isInput: boolean): boolean {
  return !/ · Post for /u.test(line) && (!isInput || /warning|⚠️/u.test(line));
}

/** Marks the time of a card among the facts of a post. */
export const CARD_TIME = 'Its time is ';

/** Removes buttons, formatting, and the quoted text of the post, and splits a line into sentences and facts. */
function splitLine(line: string): string[] {
  const plain = line
    // The first line of a card.
    .replace(/^[^\s*]+ (\*[^*\n]+\*) · (?=\*)/u, `$1 · ${CARD_TIME}`)
    .replace(/<!date\^(\d+)\^[^>]*>/gu, '⟨$1⟩')
    .replace(/<@([^>|]+)[^>]*>/gu, '@$1')
    .replace(/\[[^\]]*\]/gu, '')
    .replace(/[*`]/gu, '')
    .replace(/:[a-z_]+:/gu, '')
    .replace(/^\s*(⚠️|🗑️|☑️)\s*/u, '');
  return joinScopes(
    removeQuote(plain)
      // Of an outdated form, nothing was sent by this press.
      .split(/ · |(?<=[.?!:])(?<!This form is out of date\.)\s+(?=[\p{Lu}⚠])/u)
      // A headline has the emoji of its status before the sentence.
      .map((part) =>
        part.trim().replace(/^(?:📝|🗓️|✅|❌|⏳|❔|✏️|👀|🙋|🚫|⏸️)\s+(?=.*[.?!]$|Your post|I |\d+ )/u, ''),
      )
      .filter((part) => part !== '' && !/^[()\s]*$/u.test(part)),
  );
}

/** Removes the text of a post from the line that shows it. Only what comes before a delimiter is about the post. */
function removeQuote(line: string): string {
  const start = line.search(/§[a-z]+\d/u);
  if (start < 0) return line;
  const before = line.slice(0, start);
  const quote = before.lastIndexOf('“');
  if (quote >= 0) return before.slice(0, quote);
  const end = Math.max(...[' · ', ': ', '. '].map((delimiter) => before.lastIndexOf(delimiter)));
  return end < 0 ? '' : before.slice(0, end + 1);
}
