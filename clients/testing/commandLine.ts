// The command line as a user runs it: a process with a home of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { perFile } from '../../src/testing/test.ts'
import { clientTest } from './client.ts'

const program = join(import.meta.dirname, '../cli/src/main.ts')

type Ran = { code: number | null; out: string; err: string }

type User = {
  home: string
  /** Without a key in its variables; `input` is what is typed. */
  run(words: readonly string[], more?: { input?: string; env?: Record<string, string> }): Promise<Ran>
  /** A command that keeps running. */
  start(words: readonly string[], env?: Record<string, string>): Running
}

export type Running = { lines: AsyncIterator<string>; complaints(): string; stop(): Promise<number | null> }

/** The runner of the tests lets all processes share what they compiled. */
const { PATH, NODE_COMPILE_CACHE } = process.env

function openUser(home: string, node: readonly string[] = [process.execPath, program]): User {
  const start = (words: readonly string[], env: Record<string, string> = {}) =>
    spawn(node[0]!, [...node.slice(1), ...words], {
      env: { PATH, NODE_COMPILE_CACHE, HOME: home, NODE_NO_WARNINGS: '1', ...env },
      cwd: home,
    })
  return {
    home,
    async run(words, { input = '', env } = {}) {
      const child = start(words, env)
      child.stdin.end(input)
      const [out, err] = await Promise.all(
        [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join('')),
      )
      const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('close', resolve)))
      return { code, out: out!, err: err! }
    },
    start(words, env) {
      const child = start(words, env)
      let complaints = ''
      child.stderr.on('data', (chunk) => {
        complaints += chunk
      })
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      return {
        lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
        complaints: () => complaints,
        stop() {
          child.kill('SIGINT')
          return ended
        },
      }
    },
  }
}

/** `user` is signed in with the key of the organization; `stranger` has an empty home. */
export const commandLineTest = () =>
  clientTest()
    .extend('newUser', perFile, ({ options: _ }, { onCleanup }) => {
      const homes: string[] = []
      onCleanup(() => {
        for (const home of homes) rmSync(home, { recursive: true })
      })
      return (node?: readonly string[]): User => {
        const home = mkdtempSync(join(tmpdir(), 'agent-calendar-'))
        homes.push(home)
        return openUser(home, node)
      }
    })
    .extend('stranger', perFile, ({ newUser }) => newUser())
    .extend('user', perFile, async ({ newUser, service, key }) => {
      const user = newUser()
      const { code, err } = await user.run(['login', '--url', service.baseUrl], { input: `${key}\n` })
      if (code !== 0) throw new Error(err)
      return user
    })
