// One machine for each node: a network namespace, joined to the others by a virtual cable and a bridge. The trial itself
// stands at the bridge.
import { spawnSync } from 'node:child_process'

export const subnet = '10.99.0.0/24'
export const addressOf = (nth: number) => `10.99.0.${11 + nth}`

export function openNetwork(names: readonly string[]): void {
  run('mount', '-t', 'tmpfs', 'none', '/run')
  run('ip', 'link', 'set', 'lo', 'up')
  run('ip', 'link', 'add', 'machines', 'type', 'bridge')
  run('ip', 'addr', 'add', '10.99.0.1/24', 'dev', 'machines')
  run('ip', 'link', 'set', 'machines', 'up')
  for (const [nth, name] of names.entries()) {
    run('ip', 'netns', 'add', name)
    run('ip', 'link', 'add', `to-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    run('ip', 'link', 'set', `to-${name}`, 'master', 'machines', 'up')
    run('ip', '-n', name, 'addr', 'add', `${addressOf(nth)}/24`, 'dev', 'eth0')
    for (const link of ['eth0', 'lo']) run('ip', '-n', name, 'link', 'set', link, 'up')
  }
}

type Place = { name: string; address: string }

/** Between this node and the others nothing passes. The trial reaches all of them. */
export function part(one: Place, others: readonly Place[]): void {
  for (const [from, to] of ways(one, others))
    run('ip', '-n', from.name, 'route', 'add', 'blackhole', `${to.address}/32`)
}

export function join(one: Place, others: readonly Place[]): void {
  for (const [from, to] of ways(one, others))
    run('ip', '-n', from.name, 'route', 'del', 'blackhole', `${to.address}/32`)
}

const ways = (one: Place, others: readonly Place[]): [Place, Place][] =>
  others.flatMap((other): [Place, Place][] => [
    [one, other],
    [other, one],
  ])

export const pidsIn = (name: string): number[] =>
  run('ip', 'netns', 'pids', name).split('\n').filter(Boolean).map(Number)

/** Returns what it printed. */
export function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? (stderr || stdout)}`)
  return stdout
}
