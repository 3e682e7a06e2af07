// Secrets come from the terminal without being shown, or from standard input.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './failures.ts'

export async function askSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal })
  try {
    const line = await new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
      lines.once('SIGINT', () => resolve(undefined))
    })
    const secret = line?.trim()
    if (!secret)
      throw new UsageError(
        isTerminal ? 'Nothing was entered.' : 'Standard input has no secret: pipe it in, on one line.',
      )
    return secret
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
