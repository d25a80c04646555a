import {
  byMeaning,
  type EuropeanWords,
  inOrder,
  numerals,
  patternsIn,
  unitsIn,
} from '../european/vocabulary.ts';
import { namedDays } from '../feasts.ts';

const PORTUGUESE_FEASTS = [
  ...namedDays(`01-01 (?:n?o )?(?:dia de )?ano novo; 01-06 (?:n?o )?dia de reis;
    02-14 (?:n?o )?(?:dia de )?são valentim; 03-08 (?:n?o )?dia (?:internacional )?da mulher;
    05-01 (?:n?o )?dia do trabalh(?:o|ador); 06-13 (?:n?o )?(?:dia de )?santo ant[óô]nio;
    06-24 (?:n?o )?(?:dia de )?são joão; 08-15 (?:dia da )?assunção;
    10-31 (?:n?o )?(?:halloween|dia das bruxas); 11-01 (?:n?o )?(?:dia de )?todos os santos;
    11-02 (?:n?o )?(?:dia de )?finados; 12-08 (?:dia da )?imaculada(?: conceição)?;
    12-24 (?:(?:n?a )?véspera|noite) de natal; 12-25 (?:n?o )?(?:dia de )?natal;
    12-31 (?:n?a )?(?:véspera|noite) de ano novo`),
  // A night that is of both years.
  ...namedDays('12-31/01-01 (?:(?:n?o )?réveillon|(?:n?a )?passagem de ano)'),
  // Lei 662/1949 and those after it: Brazil.
  ...namedDays(`04-21 (?:n?o )?(?:dia de )?tiradentes; 09-07 (?:n?o )?dia da independência;
    10-12 (?:(?:n?o )?dia de )?nossa senhora aparecida; 10-12 (?:n?o )?dia das crianças;
    11-15 (?:(?:n?o )?dia da )?proclamação da república; 11-20 (?:(?:n?o )?dia da )?consciência negra`),
  // Código do Trabalho, article 234: Portugal.
  ...namedDays(
    `04-25 (?:n?o )?dia da liberdade; 10-05 implantação da república; 12-01 restauração da independência`,
  ),
  // The churches' calendar, and days of shopping.
  ...namedDays(`shroveTuesday/carnivalSunday (?:n?o )?carnaval; roseMonday (?:n?a )?segunda(?: feira)? de carnaval;
    shroveTuesday (?:n?a )?terça(?: feira)? (?:de carnaval|gorda);
    ashWednesday (?:n?a )?quarta(?: feira)? de cinzas; palmSunday (?:n?o )?domingo de ramos;
    maundyThursday (?:n?a )?quinta(?: feira)? santa; goodFriday (?:n?a )?sexta(?: feira)? santa;
    holySaturday (?:n?o )?sábado (?:santo|de aleluia);
    easter (?:n?a |(?:n?o )?(?:domingo|dia) de )?páscoa;
    easterMonday (?:n?a )?segunda(?: feira)? de páscoa; ascension (?:dia|quinta(?: feira)?) da ascensão;
    whitSunday (?:(?:n?o )?domingo de )?pentecostes;
    corpusChristi (?:n?o )?(?:corpus christi|corpo de deus);
    blackFriday (?:n?a )?(?:black friday|sexta(?: feira)? negra); cyberMonday (?:n?a )?cyber monday`),
  // Customs. "Dia das mães" and "dia dos pais" are Brazil's, "dia da mãe" and "dia do pai" are Portugal's.
  ...namedDays(`05-second-sunday (?:n?o )?dia das mães; 05-first-sunday (?:n?o )?dia da mãe;
    08-second-sunday (?:n?o )?dia dos pais; 03-19 (?:n?o )?dia do pai;
    06-12/02-14 (?:n?o )?dia dos namorados`),
];

const PERIOD = '(?:dia|semana|fim de semana|mês|trimestre|ano|noite|tarde|manhã|vez)';
const DAY =
  '(?:domingo|segunda(?: feira)?|terça(?: feira)?|quarta(?: feira)?|quinta(?: feira)?|sexta(?: feira)?|[2-6]a(?: feira)?|sábado)';

const NUMBERS = numerals({
  small: patternsIn(`zero, (?:uma|um), (?:dois|duas), três, quatro, cinco, (?:seis|meia dúzia), sete, oito,
    nove, dez, onze, doze, treze, (?:catorze|quatorze), quinze, (?:dezesseis|dezasseis),
    (?:dezessete|dezassete), dezoito, (?:dezenove|dezanove)`),
  tens: { 20: 'vinte', 30: 'trinta', 40: 'quarenta', 50: 'cinquenta' },
  compound: (ten, unit) => `${ten} e ${unit}`,
});

const AFTER = '(?:(?:que|q) vem|seguinte|próxim[oa]|prox)';

const portuguese: EuropeanWords['grammar'] = {
  // Weekdays have numbers: "6ª" is Friday.
  weekdays: patternsIn(`domingo|dom, (?:segunda|seg)(?: feira)?|2a(?: ?feira)?|2 ?feira,
    (?:terça|ter)(?: feira)?|3a(?: ?feira)?|3 ?feira, (?:quarta|qua)(?: feira)?|4a(?: ?feira)?|4 ?feira,
    (?:quinta|qui)(?: feira)?|5a(?: ?feira)?|5 ?feira, (?:sexta|sex)(?: feira)?|6a(?: ?feira)?|6 ?feira,
    sábado|sáb`),
  months: patternsIn(`janeiro|jan, fevereiro|fev, março|mar, abril|abr, maio|mai, junho|jun, julho|jul,
    agosto|ago, setembro|set, outubro|out, novembro|nov, dezembro|dez`),
  numbers: NUMBERS,
  ordinals: [
    ...inOrder(patternsIn('primeir[oa], segund[oa], terceir[oa], quart[oa], quint[oa]'), 1),
    ...inOrder(
      patternsIn('vigésim[oa], vigésim[oa] primeir[oa], vigésim[oa] segund[oa], vigésim[oa] terceir[oa]'),
      20,
    ),
    ...inOrder(patternsIn('trigésim[oa], trigésim[oa] primeir[oa]'), 30),
  ],
  twoThousand: 'dois mil',
  ordinalEnding: '(?:°|[oa])',
  days: [
    ['(?:hoje|hj)', { ahead: 0 }],
    ['(?:amanhã|amnhã?|amh)', { ahead: 1 }],
    ['(?:o )?(?:próximo dia|dia seguinte(?! a))', { ahead: 1 }],
    ['(?:(?:o )?dia )?(?:depois|dps) de (?:amanhã|amnhã?)', { ahead: 2 }],
  ],
  feasts: PORTUGUESE_FEASTS,
  weekdayBefore: byMeaning({
    this: '(?:n?est[ea]|n?ess[ea])',
    next: '(?:n?[oa] )?(?<!semana )próx(?:im[oa])?\\.?',
  }),
  weekdayAfter: byMeaning({ next: AFTER, this: '(?:agora|desta semana)' }),
  weeksMayBeginOnSunday: true,
  weekdayPlus: byMeaning({ P7D: 'a oito(?: dias)?', P14D: 'a quinze(?: dias)?' }),
  dayMarker: '(?:(?:n?o )?próximo(?: dia)?|(?:(?:n?o|este|esse|essa|n?este|n?esse|do|para o|ao) )?dia|o|no)',
  ofMonthFigure: 'do ',
  of: '(?:do mês de|da|do|de|em)',
  edges: byMeaning({
    start: '(?:n?o )?(?:início|começo|princípio)',
    middle: '(?:(?:em )?meados|(?:n?o )?meio(?! (?:semana|mês|trimestre|semestre|ano)))',
    end: '(?:n?o |ao )?(?:fim|final|finais)',
  }),
  weekends: byMeaning({
    0: '(?:(?:n?o|n?este|ao) )?(?:fim|final) de semana',
    1: '(?:n?o )?(?:próximo (?:fim|final) de semana|(?:fim|final) de semana (?:que|q) vem)',
  }),
  workingDay: 'dias? út(?:il|eis)',
  dayAfter: '(?:depois|após)',
  dayBefore: 'antes',
  daysBeside: byMeaning({
    P1D: '(?:n?o )?dia (?:depois|seguinte)',
    '-P1D': '(?:n?o )?dia (?:antes|anterior)',
  }),
  dayNoun: 'dia',
  last: 'últim[oa]',
  parts: [
    ['(?:bem |logo |de manhã )?(?:cedo|cedinho)(?: da manhã)?', 'start-of-morning'],
    ['(?:(?:no|pelo) )?(?:início|começo) da manhã', 'start-of-morning'],
    ['(?:na |a )?primeira hora(?: da manhã)?', 'start-of-morning'],
    ['(?:no |a )?meio da manhã', 'mid-morning'],
    ['(?:(?:no|ao) )?(?:fim|final) da manhã', 'late-morning'],
    ['(?:(?:no|ao) )?(?:início|começo) da tarde', 'early-afternoon'],
    ['(?:(?:no|a) )?meio da tarde', 'mid-afternoon'],
    ['(?:(?:no|ao) )?(?:fim|final|finalzinho) da tarde|à tardinha', 'late-afternoon'],
    ['(?:(?:no|ao) )?(?:fim|final) d[oe] expediente', 'late-afternoon'],
    ['(?:depois do|após o) (?:trabalho|expediente|serviço)', 'late-afternoon'],
    ['(?:(?:no|ao) )?(?:início|começo) da noite', 'early-evening'],
    ['(?:(?:no|ao) )?(?:fim|final) da noite', 'late-evening'],
    ['antes do almoço', 'late-morning'],
    ['(?:(?:na )?hora do|no|depois do) jantar', 'dinner'],
    ['(?:(?:da|de|pela|na|à|a) )?manhã(?:s|zinha)?', 'morning'],
    ['(?:(?:da|de|pela|na|à|a) )?(?<!mais )tarde', 'afternoon'],
    ['(?:(?:da|de|pela|na|à|a) )?noite', 'night'],
    ['(?:(?:da|de|pela|na) )?madrugada', 'early-morning'],
    ['(?:(?:na |à )?hora do|no) almoço', 'midday'],
    ['(?:depois do|após o) almoço', 'early-afternoon'],
  ],
  partsOfToday: byMeaning({
    morning: '(?:n|d)?esta manhã',
    afternoon: '(?:n|d)?esta tarde',
    night: '(?:n|d)?esta noite',
    'early-morning': '(?:n|d)?esta madrugada',
  }),
  dayEnd: '(?:(?:ao |no |o )?(?:fim|final)(?: do dia)?)',
  sameTime: '(?:(?:à|na|n[oa]) )?mesm[ao] (?:hora|horário)',
  at: '(?:(?:(?:por volta|cerca|perto) d?|lá )?(?:às|as|à|ao|pelas|das)(?: cerca das)?)',
  hourUnit: '(?:horas?|hrs?|hs|h|em ponto)',
  countsHoursTo: 12,
  noon: '(?:o )?meio ?dia',
  midnight: '(?:meia ?noite)',
  hourFirst: { past: 'e', to: 'menos' },
  minutesFirst: { past: '(?!)', to: 'para (?:as|à|o)?' },
  minutes: byMeaning({ 15: '(?:um )?quarto', 30: 'meia' }),
  units: unitsIn('segundos?|seg, minutos?|mins?, horas?|hrs?|hs|h, dias?, semanas?|sem, m(?:ês|eses), anos?'),
  durations: [
    ['(?:um )?quarto de hora', 'PT15M'],
    ['meia hor(?:inh)?a', 'PT30M'],
    ['(?:três|3) quartos de hora', 'PT45M'],
  ],
  and: 'e|&|\\+',
  andHalf: 'e mei[ao]',
  durationBefore: '(?:daqui(?: a)?|dentro de|em)',
  durationAfter: '(?:depois|mais tarde|a partir de (?:agora|hoje))',
  durationFrom: '(?:depois d[eo]|a partir de|após)',
  fillers:
    '(?:(?:um pouco )?mais tarde|a partir(?: d[aeo]s?)?|o mais tardar|à|às|ao|o|os|da|das|de|do|dos|em|na|no|pela|pelas|para|por|cerca|perto|por volta|aproximadamente|exatamente|logo|umas|lá|em ponto|por favor|ok|obrigad[oa]|talvez|melhor|digamos|podemos|pode|pra|(?:move[r]?|muda[r]?|passa[r]?|adia[r]?) (?:para|pra)|publica[r]?|publique|(?:posta[r]?|poste)(?: isso)?|pfv|agenda[r]?|agende|programa[r]?|envia[r]?|envie|manda[r]?|lembre me|hor(?:a|ário) local|horas?|h)',
  now: '(?:(?:logo )?agora(?: mesmo)?|já|n?(?:este|esse) (?:momento|instante)|imediatamente|de imediato|(?:assim que|logo que|tão (?:cedo|logo) quanto) (?:possível|possamos|der|puder)|(?:o )?(?:mais rápido possível|mais cedo possível|quanto antes)|asap)',
  over: `ontem|anteontem|há (?:\\d+|um|uma|dois|duas|três|quatro|cinco|pouco)|(?:\\d+|um|uma|dois|duas|três|quatro|cinco) (?:segundos?|minutos?|horas?|dias?|semanas?|m[êe]s(?:es)?|anos?) (?:atrás|antes(?! \\S))|atrás|(?:${PERIOD}|${DAY}|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro) (?:passad[oa]|anterior)|(?:passad[oa]) (?:${PERIOD}|${DAY})|últim[oa] (?:semana|mês|ano)`,
  repeats: `cada|tod[oa]s? (?:os?(?! santos)|as?|${PERIOD}|${DAY})|diari\\p{L}+|diári\\p{L}+|semanal\\p{L}*|mensal\\p{L}*|anual\\p{L}*|(?:uma|duas|três|\\d+) ve(?:z|zes) (?:por|ao)|(?:aos|nos) (?:domingos|sábados)|(?:às|nas) (?:segundas|terças|quartas|quintas|sextas)(?: feiras)?|segundas|terças|sextas|domingos|sábados`,
  range: `até|entre|durante|das .* (?:às|as)|de ${DAY} a ${DAY}`,
  choice: 'ou',
  fromTo: ['desde|das', 'a|à|às|até'],
  dayWords: 'amanhã manhã tarde noite madrugada',
  wordsThemselves:
    'quanta guarda sesta terra cerca perca gosto norte minha mancha ganha banha manga junto punho cunho julgo júlio junco sabido marco',
};

const NEXT = '(?:próxim[oa]s?|prox|seguintes?)';
const LAST = '(?:passad[oa]s?|últim[oa]s?|anterior(?:es)?)';

export const PORTUGUESE_WORDS: EuropeanWords = {
  grammar: portuguese,
  fillers: 'em|n[oa]s?|[oa]s?|d[oa]s?|de|durante|para|tod[oa]',
  repeats: {
    every: '(?:cada|tod[oa]s?(?: [oa]s?)?|às|aos|nas|nos|na|no|[ao]s)',
    weekdayEnding: 's?(?: feiras?)?',
    everyDay: '(?:todos os dias|todo (?:o )?dia|cada dia|diariamente)',
    workdays: '(?:(?:em |n?os )?dias? (?:úteis|útil|de semana)|durante a semana)',
    determiners: 'uma?',
    weekends: '(?:n?os )?fi(?:m|ns) de semana',
    everyPart: '(?:tod[oa]s? [oa]s?|toda|cada)',
    except: '(?:exceto|menos|salvo)(?: (?:às|aos|[ao]s?))?',
    intervals: ['(?:a )?cada # §', '(?:uma? )?§ sim,? (?!mas não)(?:e )?(?:\\p{L}+ )?não'],
    fixedIntervals: [
      ['(?:semanal\\w*|(?:todas?(?: as?)?|cada|\\S+ vez por) semanas?)', { unit: 'weeks', interval: 1 }],
      ['(?:quinzenal(?:mente)?|(?:a )?cada (?:15|quinze) dias)', { unit: 'weeks', interval: 2 }],
      ['todo(?= dia \\d{1,2}(?![\\dh:]))', { unit: 'months', interval: 1 }],
      ['(?:mensal\\w*|(?:todos?(?: os?)?|cada|\\S+ vez por) m(?:ês|eses))', { unit: 'months', interval: 1 }],
      ['(?:anual(?:mente)?|todo (?:o )?ano|todos os anos|cada ano)', { unit: 'years', interval: 1 }],
    ],
    onDate: '(?:(?:no|na|o|a|todo|toda|cada|os|nos|as|nas|todas as) )?(?:dias? )?',
    ofMonth: ['(?:de|do)', 'mês'],
    count: ['# vezes'],
    lasting: ['(?:durante|por) # §'],
    unsupported:
      '(?:(?:a )?cada (?:hora|trimestre|(?:\\p{L}+|\\d+) (?:horas|minutos))|trimestral\\p{L}*|(?:uma|duas|três|\\d+) vez(?:es)? (?:por|ao|à) (?!(?<=(?:uma|1) vez por )(?:semana|mes))\\p{L}+)',
  },
  copulas: 'é|são',
  stretches: {
    nouns: {
      week: 'sem(?:ana)?',
      weekend: 'fim de semana',
      month: 'mês',
      quarter: 'trimestre',
      year: 'ano',
    },
    weekendBegins: '(?:fim|final) de',
    half: 'semestre',
    halves: ['(?:primeira|1ª) (?:metade|quinzena) d[eoa] §', '(?:segunda|2ª) (?:metade|quinzena) d[eoa] §'],
    ofCalendar: [
      ['(?:[dn]?est[ea]|[dn]?ess[ea]) §', 0],
      ['§ (?:atual|corrente|em curso)', 0],
      [`${NEXT} §`, 1],
      [`§ ${AFTER}`, 1],
      [`${LAST} §`, -1],
      [`§ ${LAST}`, -1],
    ],
    restOf: 'resto (?:do|da|deste|desta|desse|dessa) §',
    next: [`${NEXT} # §`],
    last: [`${LAST} # §`],
    ago: ['há # §', '# § atrás'],
    pastDays: ['anteontem', 'ontem', 'hoje'],
    quarterLetter: '[qt]',
    calendarWeek: '(?:semana|sem) ?(?:nº |n |número )?#',
    weekOf: 'semana de',
  },
  edges: {
    from: '(?:de|d[oa]s?|desde|a partir d[eoa]|não antes d(?:e|[oa]s?))(?: [oa]s?)?',
    to: '(?:a|à|às|ao|até)(?: (?:[oa]|às))?',
    between: 'entre(?: (?:[oa]s?|às))?',
    onwards: 'em diante',
    since: 'desde(?: [oa]s?)?',
    until: '(?:até|[on]o? mais tardar)(?: (?:[oa]|às))?',
    endOf: '(?:o )?(?:fim|final)(?: d[eoa])?',
    before: 'antes d(?:e|o|a|as)',
    after: '(?:depois d(?:e|o|a|as)|após)(?: [oa])?',
  },
  examples: {
    moment: ['amanhã às 9:00', 'sex 14:30', '1 de dezembro às 10:15'],
    moments: ['seg, qua e sex às 9:30', 'amanhã às 9:30 e 17:30', 'seg 9:30 e ter 17:30'],
    ranges: ['esta semana', 'de segunda a sexta', '1 a 5 de dezembro'],
    recurrences: ['todos os dias às 8:30', 'toda segunda às 9:30', 'seg, qua e sex 10:00'],
  },
};
