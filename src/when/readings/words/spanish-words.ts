import { spanish } from '../../grammar/spanish/spanish.ts';
import type { ReadingWords } from './reading-words.ts';

const NEXT = '(?:próxim[oa]s?|siguientes?)';
const AFTER = '(?:que viene|que entra|próxim[oa]|siguiente)';
const LAST = '(?:pasad[oa]s?|últim[oa]s?|anterior(?:es)?)';

export const SPANISH_WORDS: ReadingWords = {
  grammar: spanish,
  fillers: 'en|el|la|los|las|del?|durante|para|tod[oa]',
  and: '(?:[ye]|&|\\+)',
  repeats: {
    every: '(?:cada|todos los|los|el|todas las)',
    weekdayEnding: 's?',
    everyDay: '(?:todos los días|cada día|diariamente|a diario|diario)',
    workdays: '(?:entre semana|días? (?:laborables?|hábil(?:es)?|de semana))',
    weekends: '(?:fin(?:es)? de semana)',
    everyPart: '(?:todas las|cada)',
    except: '(?:excepto|menos|salvo)(?: (?:los|el))?',
    intervals: ['cada # §', '(?:un|una|el|la)? ?§ sí,? (?:y )?(?:\\p{L}+ )?(?:\\p{L}+ )?no', '§ por medio'],
    fixedIntervals: [
      ['(?:semanal(?:mente)?|cada semana|todas las semanas)', { unit: 'weeks', interval: 1 }],
      ['(?:cada (?:15|quince) días|cada quincena|quincenal(?:mente)?)', { unit: 'weeks', interval: 2 }],
      ['(?:mensual(?:mente)?|cada mes|todos los meses)', { unit: 'months', interval: 1 }],
      ['(?:anual(?:mente)?|cada año|todos los años)', { unit: 'years', interval: 1 }],
    ],
    ordinals: ['prim(?:er[oa]?)', 'segund[oa]', 'tercer[oa]?', 'cuart[oa]', 'últim[oa]'],
    onDate: '(?:(?:el|los|cada) )?(?:día )?',
    ofMonth: ['(?:del?)', 'mes'],
    day: 'día',
    count: ['# veces'],
    lasting: ['(?:durante|por) # §'],
    unsupported:
      '(?:cada (?:hora|trimestre|(?:\\p{L}+|\\d+) (?:horas|minutos))|trimestral\\p{L}*|(?:una|dos|tres|\\d+) ve(?:z|ces) (?:al|por) \\p{L}+)',
  },
  stretches: {
    nouns: { week: 'semana', weekend: 'fin de semana', month: 'mes', quarter: 'trimestre', year: 'año' },
    ofCalendar: [
      ['est[ea] §', 0],
      [`${NEXT} §`, 1],
      [`§ ${AFTER}`, 1],
      [`${LAST} §`, -1],
      [`§ ${LAST}`, -1],
    ],
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['hace # §'],
    pastDays: ['(?:anteayer|antes de ayer)', 'ayer', 'hoy'],
    lastNamed: [`§ ${LAST}`, `${LAST} §`],
    quarterLetter: '[qt]',
    calendarWeek: 'semana ?(?<week>[1-5]?\\d)',
    weekOf: 'semana del',
  },
  edges: {
    from: '(?:de|del|desde|a partir del?)(?: (?:el|la|las))?',
    to: '(?:al?|hasta)(?: (?:el|la|las))?',
    between: 'entre(?: (?:el|las?))?',
    onwards: 'en adelante',
    onwardsAlone: 'en adelante',
    since: 'desde(?: (?:el|la|las))?',
    until: 'hasta(?: (?:el|la|las))?',
    before: 'antes del?(?: (?:la|las))?',
    after: '(?:después del?|tras)(?: (?:la|las))?',
  },
  examples: {
    moments: ['lun, mié y vie a las 9:30', 'mañana a las 9:30 y 17:30', '9:30 en Madrid y Tokyo'],
    ranges: ['esta semana', 'de lunes a viernes', 'del 1 al 5 de diciembre'],
    recurrences: ['todos los días a las 8:30', 'cada lunes a las 9:30', 'lun, mié y vie 10:00'],
  },
};
