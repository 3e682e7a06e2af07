// An account of the test's Redis that may do less than the others: so one process meets refusals while the rest goes on.
import { randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import { mastersOf } from '../stores/redis.ts'

type RedisAccount = {
  /** The same Redis by this account, for a process' `redisUrl`. */
  url: string
  /** Further rules, in the language of `ACL SETUSER`. */
  change(...rules: string[]): Promise<void>
  remove(): Promise<void>
}

export async function makeRedisAccount({ redis, config }: App, ...rules: string[]): Promise<RedisAccount> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const atAll = async (...words: [string, ...string[]]) => {
    await Promise.all(mastersOf(redis).map((node) => node.call('ACL', ...words)))
  }
  const change = (...further: string[]) => atAll('SETUSER', name, ...further)
  await change('on', '>secret', '&*', '+@all', ...rules)
  return {
    url: config.redisUrl.replace(/:\/\/([^@/]*@)?/, `://${name}:secret@`),
    change,
    remove: () => atAll('DELUSER', name),
  }
}
