/** A phrase that comments, messages and docs must not use, for `npm run wording`. */
export interface Pattern {
  expression: RegExp
  /** What to write instead. */
  better: string
}

const phrase = (expression: string) => new RegExp(String.raw`(?<![\w-])(?:${expression})(?![\w-])`, 'gi')

const pattern = (expression: string, better: string): Pattern => ({ expression: phrase(expression), better })

const named = 'name the person, program or thing'

/** Phrases of comments, messages, titles of tests, docs and the OpenAPI document. */
export const patterns: readonly Pattern[] = [
  pattern('(?:to|of|for|by|from|than|but|with|and|or|as|at|on) who', named),
  pattern('who(?:ever|soever)', named),
  pattern('(?<=(?:^|[.:;(]) ?)who(?! (?:is|are) (?:it|this|that))', named),
  pattern(
    'what (?:is|was|has|are|were|had|it|they|he|she|came|comes|goes|went|gets|got|stands|stood|remains|nobody|somebody|others|else|can|cannot|may|must|takes|makes|gives|holds|says|said|looks|begins)',
    'use a noun: "the error", "the tasks that are due"',
  ),
  pattern('(?:of|for|to|by|from|with|than|but|as|in|after|before|at|besides) what', 'use a noun'),
  pattern('where there (?:is|are|was|were)', 'if'),
  pattern('where nobody', 'if no caller, if nothing'),
  pattern('so (?:many|few)', 'name the number'),
  pattern('as it (?:is|was|stands)|as they (?:are|were|stand)', 'unchanged'),
  pattern('as is', 'unchanged'),
  pattern("of (?:its|their|his|her|our|your|one's) own", '"separate", or its name'),
  pattern('besides', '"also", "in addition to", "except"'),
  pattern('save (?:for|with|that|where)', 'except'),
  pattern('mend(?:s|ed|ing)?', 'repair, fix, correct'),
  pattern('(?:is|are|was|were|be|been) told', 'gets, receives, is notified'),
  pattern('tells? (?:of|what|who|whether|how)', 'reports, describes'),
  pattern('go(?:es|ing)? on|went on|gone on', 'continue, resume'),
  pattern('com(?:e|es|ing) of|came of', 'results from'),
  pattern('let be|lets be', 'ignore, leave unchanged'),
  pattern('(?:put|puts|puting|putting) in(?:to)? (?:the )?line|in line', 'enqueue, create a task'),
  pattern(
    'nobody (?:has|is|knows|asks|asked|wants|waits|reads|listens|needs|else)',
    'name the role: no caller, no client',
  ),
  pattern('somebody|anybody|everybody', 'name the role: a caller, a user'),
  pattern('anew', 'again'),
  pattern('for good', 'permanently'),
  pattern('come to pass|comes to pass|by and by|thereof|wherein|whence|hence|thus far|lest', 'plain words'),
  pattern('strangers?', 'unauthenticated client'),
  pattern('lean(?:s|ed|ing)? on', 'depend on'),
  pattern('(?:is|are|was|were) over(?! (?:\\d|the|a|one|an))', 'ended'),
  pattern('(?:to|is|are|was|were) be had|to be had', 'available'),
  pattern('be it', '"whether it is"'),
  pattern('made up for (?:it|them)', 'generated'),
  pattern('look(?:s|ed)? after', 'monitor, maintain'),
]

/** Names of declarations that are refused because they say nothing about a role or a unit. */
export const names: readonly Pattern[] = [
  { expression: /patience/gi, better: 'requestTimeoutMs, sweepBudgetMs, staleAfterMs, leaseMs' },
  { expression: /^(?:most|longest)(?=[A-Z]|$)/g, better: 'max…, with the unit: maxBodyBytes' },
  { expression: /^(?:least|shortest)(?=[A-Z]|$)/g, better: 'min…, with the unit' },
  { expression: /^(?:soon|enough|usual|besides)$/g, better: 'the role and the unit' },
  {
    expression:
      /^(?:asked|given|told|heard|wanted|wrong|Asked|Given|Told|Heard|Wanted|Found|Made|Sent|Said|Shown|Kept|Known|Named)$/g,
    better: 'a noun: request, params, input, events, match, reply',
  },
]

/** Words that end in "ing" and are nouns of the field, so that a file may have their name. */
export const nounsInIng: ReadonlySet<string> = new Set([
  ...[
    'billing',
    'encoding',
    'heading',
    'logging',
    'masking',
    'mapping',
    'padding',
    'paging',
    'ranking',
    'routing',
    'setting',
  ],
  ...[
    'signing',
    'string',
    'stemming',
    'throttling',
    'timing',
    'tracing',
    'transcoding',
    'typing',
    'warning',
    'wording',
  ],
  ...[
    'rendering',
    'hashing',
    'scheduling',
    'polling',
    'batching',
    'streaming',
    'spelling',
    'escaping',
    'quoting',
    'ring',
    'string',
  ],
])
