// The rules for English that a program can decide, in comments and in texts that begin like a sentence. The other rules are
// under "Style" in CONTRIBUTING.md. Pure.

type Wording = { line: number; words: string }

/** Questions may begin with these words, and headings, which have no full stop. */
const subject = /(?:^|[.!:;] )(?:What|Whoever|Nobody) [^.!?]*[.!]/
const phrases = [/(?<!there )\b(?:is|are) none\b/i, /\bof before\b/i, /\bthere (?:is|are) no more\b/i]

const breaks = (text: string): string | undefined => {
  for (const pattern of [subject, ...phrases]) {
    const found = pattern.exec(text)
    if (found) return found[0].replace(/^[.!:;] /, '').slice(0, 60)
  }
  return undefined
}

/** Against the rules, by line. */
export const oddWordings = (source: string): Wording[] =>
  textsOf(source).flatMap(({ line, text }) => {
    const words = breaks(text)
    return words ? [{ line, words }] : []
  })

const comment = /^\s*(?:\/\/|\/\*\*?(?!\/)|\*(?!\/)|--(?= ))\s?(.*?)\s*(?:\*\/)?$/
const literal = /(?<![\w=])(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)")/g

/** The comments, each as one text, and the strings of one line that begin with a capital letter and have a space. */
function textsOf(source: string): { line: number; text: string }[] {
  const texts: { line: number; text: string }[] = []
  let isInComment = false
  for (const [nth, line] of source.split('\n').entries()) {
    const body = comment.exec(line)?.[1]
    if (body === undefined) texts.push(...stringsOf(line).map((text) => ({ line: nth + 1, text })))
    else if (isInComment && !/^\s*\/\*/.test(line)) texts.at(-1)!.text += ` ${body}`
    else texts.push({ line: nth + 1, text: body })
    isInComment = body !== undefined
  }
  return texts
}

const stringsOf = (line: string): string[] =>
  [...line.matchAll(literal)]
    .map(([, ...parts]) => parts.find((part) => part !== undefined)!)
    .filter((text) => /^[A-Z][a-z]+ /.test(text))
