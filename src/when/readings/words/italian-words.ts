import { italian } from '../../grammar/italian/italian.ts';
import type { ReadingWords } from './reading-words.ts';

const NEXT = '(?:prossim[oaie]|seguent[ei]|successiv[oaie])';
const LAST = '(?:scors[oaie]|passat[oaie]|ultim[oaie]|precedent[ei])';

export const ITALIAN_WORDS: ReadingWords = {
  grammar: {
    ...italian,
    weekdays: italian.weekdays.map((day, index) =>
      index === 0 ? `(?:${day}|domeniche)` : index === 6 ? `(?:${day}|sabati)` : day,
    ),
  },
  fillers: "in|nel|nell[ae']|il|la|lo|i|gli|le|l'|del|della|durante|per|tutt[oa]|a",
  and: '(?:ed?|&|\\+)',
  repeats: {
    every: '(?:ogni|tutti i|tutte le|il|la|i|le|di)',
    weekdayEnding: '',
    everyDay: '(?:ogni giorno|tutti i giorni|quotidianamente|giornalmente)',
    workdays: '(?:nei giorni (?:feriali|lavorativi)|giorn[oi] (?:feriali?|lavorativ[oi])|feriali)',
    weekends: '(?:nei )?(?:week ?end|fine settimana)',
    everyPart: '(?:ogni|tutte le)',
    except: '(?:tranne|eccetto|escluso)(?: (?:il|la))?',
    intervals: ['ogni # §', '(?:un |una |il |la )?§ sì,? (?:e )?(?:\\p{L}+ )?no', 'a § altern[ie]'],
    fixedIntervals: [
      ['(?:settimanalmente|settimanale|ogni settimana|tutte le settimane)', { unit: 'weeks', interval: 1 }],
      ['(?:ogni (?:15|quindici) giorni|quindicinal(?:e|mente))', { unit: 'weeks', interval: 2 }],
      ['(?:mensil(?:e|mente)|ogni mese|tutti i mesi)', { unit: 'months', interval: 1 }],
      ['(?:annual(?:e|mente)|ogni anno|tutti gli anni)', { unit: 'years', interval: 1 }],
    ],
    ordinals: ['prim[oa]', 'second[oa]', 'terz[oa]', 'quart[oa]', 'ultim[oa]'],
    onDate: "(?:(?:il|ogni|l'|la) ?)?(?:giorno )?",
    ofMonth: ['(?:di|del)', 'mese'],
    day: 'giorno',
    count: ['# volte'],
    lasting: ['per # §'],
    unsupported:
      '(?:ogni (?:ora|trimestre|(?:\\p{L}+|\\d+) (?:ore|minuti))|trimestral\\p{L}+|bisettimanal\\p{L}+|bimestral\\p{L}+|(?:una|due|tre|\\d+) volt[ae] (?:al|alla|a) \\p{L}+)',
  },
  stretches: {
    nouns: {
      week: 'settimana',
      weekend: '(?:fine settimana|week ?end)',
      month: 'mese',
      quarter: 'trimestre',
      year: 'anno',
    },
    ofCalendar: [
      ["quest(?:[oa] |' ?| )§", 0],
      [`${NEXT} §`, 1],
      [`§ ${NEXT}`, 1],
      [`${LAST} §`, -1],
      [`§ ${LAST}`, -1],
    ],
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['# § fa'],
    pastDays: ["(?:l'altro ieri|avantieri)", 'ieri', 'oggi'],
    lastNamed: [`§ ${LAST}`, `${LAST} §`],
    quarterLetter: '[qt]',
    calendarWeek: 'settimana ?(?<week>[1-5]?\\d)',
    weekOf: 'settimana del',
  },
  edges: {
    from: "(?:da|dal|dall[ae']|a partire dal?)",
    to: "(?:a|al|all[ae']|fino a(?:l|lla)?)",
    between: '(?:tra|fra)(?: (?:il|le))?',
    onwards: 'in poi',
    onwardsAlone: 'in poi',
    since: '(?:da|dal|dall[ae])',
    until: '(?:fino a(?:l|lle|lla)?|entro(?: il)?)',
    before: '(?:prima d(?:i|el|elle|ella))',
    after: '(?:dopo(?: (?:il|le|la))?)',
  },
  examples: {
    moments: ['lun, mer e ven alle 9:30', 'domani alle 9:30 e 17:30', 'lun 9:30 e mar 17:30'],
    ranges: ['questa settimana', 'da lunedì a venerdì', 'dal 1 al 5 dicembre'],
    recurrences: ['ogni giorno alle 8:30', 'ogni lunedì alle 9:30', 'lun, mer e ven 10:00'],
  },
};
