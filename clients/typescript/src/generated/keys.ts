// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ApiKey, CreatedApiKey, DryRun } from './schemas.ts'

export type CreateAgentKeyBody = {
  agent_id: string
  label?: string
}

export type CreateAgentKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListAgentKeysOptions = ReadOptions

export type RevokeAgentKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type CreateAgentKeyFromConsoleBody = {
  agent_id: string
  label?: string
}

export type CreateAgentKeyFromConsoleOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class KeysGroup extends Group {
  /**
   * Create a key for one agent.
   *
   * The whole secret appears only in this answer. The key reads and writes the agent's own calendars, events, availability and iCal subscriptions; what belongs to the organization is `forbidden` to it. An agent may have several keys.
   *
   * `POST /v1/keys`
   */
  create(body: CreateAgentKeyBody, options: CreateAgentKeyOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateAgentKeyBody, options?: CreateAgentKeyOptions): Call<CreatedApiKey>
  create(body: CreateAgentKeyBody, options?: CreateAgentKeyOptions): Call<any> {
    return this.send(operations.createAgentKey, {}, body, options)
  }

  /**
   * List agent keys.
   *
   * All active keys of agents, newest first, in one answer without pages; the organization's own key is not listed. The audit log names a key by its `key_prefix`.
   *
   * `GET /v1/keys`
   */
  list(options?: ListAgentKeysOptions): Call<{
    keys: ApiKey[]
  }> {
    return this.send(operations.listAgentKeys, {}, undefined, options)
  }

  /**
   * Revoke an agent key.
   *
   * Every process refuses the key from the next request on.
   *
   * `DELETE /v1/keys/{id}`
   */
  revoke(id: string, options: RevokeAgentKeyOptions & { dry_run: true }): Call<DryRun>
  revoke(id: string, options?: RevokeAgentKeyOptions): Call<void>
  revoke(id: string, options?: RevokeAgentKeyOptions): Call<any> {
    return this.send(operations.revokeAgentKey, { id }, undefined, options)
  }

  /**
   * Create a key for one agent from the console.
   *
   * The same as `POST /v1/keys`, with a console session instead of the organization's key. The secret is shown only in this answer.
   *
   * `POST /v1/auth/keys/scoped`
   */
  createFromConsole(body: CreateAgentKeyFromConsoleBody, options: CreateAgentKeyFromConsoleOptions & { dry_run: true }): Call<DryRun>
  createFromConsole(body: CreateAgentKeyFromConsoleBody, options?: CreateAgentKeyFromConsoleOptions): Call<CreatedApiKey>
  createFromConsole(body: CreateAgentKeyFromConsoleBody, options?: CreateAgentKeyFromConsoleOptions): Call<any> {
    return this.send(operations.createAgentKeyFromConsole, {}, body, options)
  }
}
