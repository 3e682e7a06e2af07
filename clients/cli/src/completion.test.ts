// Completion as a user of each shell has it: the shell itself reads the script and completes.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { scripts } from './completion.ts'

const home = mkdtempSync(join(tmpdir(), 'shell-'))
afterAll(() => rmSync(home, { recursive: true }))

const program = join(home, 'agent-calendar')
writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'main.ts')}' "$@"\n`)
chmodSync(program, 0o755)
mkdirSync(join(home, 'functions'))
writeFileSync(join(home, 'functions/_agent-calendar'), scripts.zsh!)

// The shells of a user start the program; the runner of the tests lets all of them share what it compiled.
const { PATH, NODE_COMPILE_CACHE } = process.env
const env = { PATH: `${home}:${PATH}`, NODE_COMPILE_CACHE, HOME: home, TERM: 'dumb', NODE_NO_WARNINGS: '1' }
const without = (shell: string) => spawnSync(shell, ['-c', 'true'], { env }).status !== 0

function run(shell: string, words: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(shell, words, { env, cwd: home, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
}

test('bash completes a noun and the options of a command', () => {
  const asked = [
    ['agent-calendar', 'ev'],
    ['agent-calendar', 'events', 'create', 'cal_1', '--sta'],
  ].map(
    (words) =>
      `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _agent_calendar; printf '%s\\n' "\${COMPREPLY[@]}"`,
  )
  assert.equal(run('bash', ['-c', [scripts.bash, ...asked].join('\n')]), 'events\n--start-time\n--status\n')
})

test.skipIf(without('fish'))('fish completes a noun and a value (skipped where there is no fish)', () => {
  const asked = ['agent-calendar ev', 'agent-calendar events create cal_1 --status te'].map(
    (line) => `complete -C '${line}'`,
  )
  assert.equal(run('fish', ['--no-config', '-c', [scripts.fish, ...asked].join('\n')]), 'events\ntentative\n')
})

test.skipIf(without('zsh'))('zsh completes a noun and a value (skipped where there is no zsh)', () => {
  // A line is completed only in a terminal.
  const typed = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'fpath=(${home}/functions $fpath); autoload -U compinit; compinit -u -d ${home}/dump; print BE''GUN'
    zpty -r -m shell seen '*BEGUN*'
    zpty -w -n shell $'agent-calendar ev\\t create cal_1 --status te\\t --help\\nprint EN""DED\\n'
    zpty -r -m shell seen '*ENDED*'
    print -r -- $seen
    zpty -d shell`
  const shown = run('zsh', ['-f', '-c', typed])
  assert.match(shown, /agent-calendar events/)
  assert.match(shown, /--status tentative/)
})
