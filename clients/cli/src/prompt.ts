// Secrets come from the terminal without being shown, or from standard input.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './failures.ts'

export const askSecret = (question: string): Promise<string> =>
  process.stdin.isTTY === true ? askOnTerminal(question) : nextLine()

async function askOnTerminal(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    const line = await new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
      lines.once('SIGINT', () => resolve(undefined))
    })
    return secretOf(line, 'Nothing was entered.')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** One reader for all questions: it reads ahead of the line that it returns. */
let piped: AsyncIterator<string> | undefined

async function nextLine(): Promise<string> {
  piped ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const { value } = await piped.next()
  return secretOf(value, 'Standard input has no secret: pipe it in, on one line.')
}

function secretOf(line: string | undefined, otherwise: string): string {
  const secret = line?.trim()
  if (!secret) throw new UsageError(otherwise)
  return secret
}
