// `npm run ops` without its process: commands run on the service of a test, whose values are sealed with `oldKey`.
import assert from 'node:assert/strict'
import { UsageError } from '../../ops/cli/command.ts'
import { commands } from '../../ops/cli/commands.ts'
import type { App } from '../app.ts'
import { ServiceError } from '../errors.ts'
import { perFile, serviceTest } from './test.ts'

export const oldKey = { id: 'old', secret: Buffer.alloc(32, 1) }
export const oldKeyText = `${oldKey.id}:${oldKey.secret.toString('base64')}`

type Options = Record<string, string | boolean | string[]>

export const commandTest = () =>
  serviceTest({ env: { ENCRYPTION_KEYS: oldKeyText } }).extend(
    'run',
    perFile,
    ({ service }) =>
      async (name: string, words: string[] = [], options: Options = {}, app: App = service.app) => {
        const command = commands.find((candidate) => candidate.name === name)
        assert.ok(command, name)
        const told: string[] = []
        const tools = { app, progress: (line: string) => void told.push(line), stopped: new AbortController().signal }
        const answer = await command.run(tools, { words, options })
        // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
        return { ...answer, json: answer.json as any, told }
      },
  )

export const refusal = (message: RegExp) => (error: Error) => {
  assert.ok(error instanceof ServiceError || error instanceof UsageError, error.stack)
  assert.match(error.message, message)
  return true
}
