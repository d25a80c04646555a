import { portuguese } from '../../grammar/portuguese/portuguese.ts';
import type { ReadingWords } from './reading-words.ts';

const NEXT = '(?:próxim[oa]s?|seguintes?)';
const AFTER = '(?:que vem|seguinte|próxim[oa])';
const LAST = '(?:passad[oa]s?|últim[oa]s?|anterior(?:es)?)';

export const PORTUGUESE_WORDS: ReadingWords = {
  grammar: portuguese,
  fillers: 'em|n[oa]s?|[oa]s?|d[oa]s?|de|durante|para|tod[oa]',
  and: '(?:e|&|\\+)',
  repeats: {
    every: '(?:cada|tod[oa]s?(?: [oa]s?)?|às|aos|nas|nos|na|no|[ao]s)',
    weekdayEnding: 's?(?: feiras?)?',
    everyDay: '(?:todos os dias|todo (?:o )?dia|cada dia|diariamente)',
    workdays: '(?:(?:em |n?os )?dias? (?:úteis|útil|de semana)|durante a semana)',
    weekends: '(?:n?os )?fi(?:m|ns) de semana',
    everyPart: '(?:tod[oa]s? [oa]s?|toda|cada)',
    except: '(?:exceto|menos|salvo)(?: (?:às|aos|[ao]s?))?',
    intervals: ['(?:a )?cada # §', '(?:uma? )?§ sim,? (?:e )?(?:\\p{L}+ )?não'],
    fixedIntervals: [
      [
        '(?:semanal(?:mente)?|toda (?:a )?semana|todas as semanas|cada semana)',
        { unit: 'weeks', interval: 1 },
      ],
      ['(?:quinzenal(?:mente)?|(?:a )?cada (?:15|quinze) dias)', { unit: 'weeks', interval: 2 }],
      ['todo(?= dia \\d{1,2}(?![\\dh:]))', { unit: 'months', interval: 1 }],
      ['(?:mensal(?:mente)?|todo (?:o )?mês|todos os meses|cada mês)', { unit: 'months', interval: 1 }],
      ['(?:anual(?:mente)?|todo (?:o )?ano|todos os anos|cada ano)', { unit: 'years', interval: 1 }],
    ],
    ordinals: ['primeir[oa]', 'segund[oa]', 'terceir[oa]', 'quart[oa]', 'últim[oa]'],
    onDate: '(?:(?:no|na|o|a|todo|toda|cada) )?(?:dia )?',
    ofMonth: ['(?:de|do)', 'mês'],
    day: 'dia',
    count: ['# vezes'],
    lasting: ['(?:durante|por) # §'],
    unsupported:
      '(?:(?:a )?cada (?:hora|trimestre|(?:\\p{L}+|\\d+) (?:horas|minutos))|trimestral\\p{L}*|(?:uma|duas|três|\\d+) vez(?:es)? (?:por|ao|à) \\p{L}+)',
  },
  stretches: {
    nouns: { week: 'semana', weekend: 'fim de semana', month: 'mês', quarter: 'trimestre', year: 'ano' },
    ofCalendar: [
      ['(?:n?est[ea]|ess[ea]) §', 0],
      [`${NEXT} §`, 1],
      [`§ ${AFTER}`, 1],
      [`${LAST} §`, -1],
      [`§ ${LAST}`, -1],
    ],
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['há # §', '# § atrás'],
    pastDays: ['anteontem', 'ontem', 'hoje'],
    lastNamed: [`§ ${LAST}`, `${LAST} §`],
    quarterLetter: '[qt]',
    calendarWeek: 'semana ?(?<week>[1-5]?\\d)',
    weekOf: 'semana de',
  },
  edges: {
    from: '(?:de|d[oa]s?|desde|a partir d[eoa])(?: [oa]s?)?',
    to: '(?:a|à|às|ao|até)(?: (?:[oa]|às))?',
    between: 'entre(?: (?:[oa]s?|às))?',
    onwards: 'em diante',
    onwardsAlone: 'em diante',
    since: 'desde(?: [oa]s?)?',
    until: 'até(?: (?:[oa]|às))?',
    before: 'antes d(?:e|o|a|as)',
    after: '(?:depois d(?:e|o|a|as)|após)(?: [oa])?',
  },
  examples: {
    moments: ['seg, qua e sex às 9:30', 'amanhã às 9:30 e 17:30', 'seg 9:30 e ter 17:30'],
    ranges: ['esta semana', 'de segunda a sexta', '1 a 5 de dezembro'],
    recurrences: ['todos os dias às 8:30', 'toda segunda às 9:30', 'seg, qua e sex 10:00'],
  },
};
