import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { recorded } from '../recording/recorded.ts'

/** `made`: the answer, with the secret. */
export const recordCreation = (
  app: App,
  actor: Actor,
  made: { id: string; key: string; key_prefix: string },
): (Effect | undefined)[] =>
  recorded(app, actor, {
    action: 'key.create',
    resource: made.id,
    response: made,
    created: [made.id, made.key, made.key_prefix],
  })
