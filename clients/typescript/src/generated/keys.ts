// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { Moment } from '../localTime.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ApiKey, CreatedApiKey, DayHours, DryRun, ListedApiKey, RotatedApiKey } from './schemas.ts'

export type CreateAgentKeyBody = {
  agent_id: string
  label?: string
  guardrails?: {
    /** The key changes nothing. */
    read_only?: boolean
    /** The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these. */
    calendar_ids?: string[]
    /** Of the hours and of the days that are counted; UTC without it. */
    timezone?: string
    /** Events and holds lie within these hours, each occurrence of the first 366 days too. */
    allowed_hours?: {
      mon?: DayHours | ({
        start: string
        end: string
      })[]
      tue?: DayHours | ({
        start: string
        end: string
      })[]
      wed?: DayHours | ({
        start: string
        end: string
      })[]
      thu?: DayHours | ({
        start: string
        end: string
      })[]
      fri?: DayHours | ({
        start: string
        end: string
      })[]
      sat?: DayHours | ({
        start: string
        end: string
      })[]
      sun?: DayHours | ({
        start: string
        end: string
      })[]
    }
    /** The longest event or hold. */
    max_minutes?: number
    /** Events and holds start at most this many days from now, each occurrence of the first 366 days too. */
    max_days_ahead?: number
    /** Events and holds start at least this many minutes from now. */
    min_notice_minutes?: number
    max_hold_priority?: number
    /** Active holds on the calendars of its agent. */
    max_live_holds?: number
    /** As if every change of time had `require_free`. */
    require_free?: boolean
    /** Events that the key creates in a day of `timezone`, and holds that it confirms. */
    max_events_per_day?: number
    /** Holds that the key places in a day of `timezone`. */
    max_holds_per_day?: number
    approval?: {
      /** `all`: every change that an agent key can make. */
      on: "all" | ("event.create" | "event.update" | "event.delete" | "hold.create" | "hold.confirm" | "calendar.update" | "calendar.delete")[]
      expires_in_minutes?: number
      /** `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner. */
      approver?: "session" | "link"
    }
    /** At least so careful is the key shown text that guests and feeds wrote, on every surface. */
    outside_text?: "fenced" | "hidden"
  } | null
  /** From then on the key is refused with the code `key_expired`; null: never. */
  expires_at?: Moment | null
}

export type CreateAgentKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListAgentKeysOptions = ReadOptions & {
  /** With `expires_at`, `last_used_at`, `created_by` and `replaced_by`. */
  include_use?: boolean
}

export type UpdateAgentKeyBody = {
  label?: string | null
  guardrails?: {
    /** The key changes nothing. */
    read_only?: boolean
    /** The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these. */
    calendar_ids?: string[]
    /** Of the hours and of the days that are counted; UTC without it. */
    timezone?: string
    /** Events and holds lie within these hours, each occurrence of the first 366 days too. */
    allowed_hours?: {
      mon?: DayHours | ({
        start: string
        end: string
      })[]
      tue?: DayHours | ({
        start: string
        end: string
      })[]
      wed?: DayHours | ({
        start: string
        end: string
      })[]
      thu?: DayHours | ({
        start: string
        end: string
      })[]
      fri?: DayHours | ({
        start: string
        end: string
      })[]
      sat?: DayHours | ({
        start: string
        end: string
      })[]
      sun?: DayHours | ({
        start: string
        end: string
      })[]
    }
    /** The longest event or hold. */
    max_minutes?: number
    /** Events and holds start at most this many days from now, each occurrence of the first 366 days too. */
    max_days_ahead?: number
    /** Events and holds start at least this many minutes from now. */
    min_notice_minutes?: number
    max_hold_priority?: number
    /** Active holds on the calendars of its agent. */
    max_live_holds?: number
    /** As if every change of time had `require_free`. */
    require_free?: boolean
    /** Events that the key creates in a day of `timezone`, and holds that it confirms. */
    max_events_per_day?: number
    /** Holds that the key places in a day of `timezone`. */
    max_holds_per_day?: number
    approval?: {
      /** `all`: every change that an agent key can make. */
      on: "all" | ("event.create" | "event.update" | "event.delete" | "hold.create" | "hold.confirm" | "calendar.update" | "calendar.delete")[]
      expires_in_minutes?: number
      /** `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner. */
      approver?: "session" | "link"
    }
    /** At least so careful is the key shown text that guests and feeds wrote, on every surface. */
    outside_text?: "fenced" | "hidden"
  } | null
  /** From then on the key is refused with the code `key_expired`; null: never. */
  expires_at?: Moment | null
}

export type UpdateAgentKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RevokeAgentKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RotateAgentKeyBody = {
  /** For how long the key that is replaced continues to work; 0: it ends at once. */
  overlap_seconds?: number
  /** From then on the key is refused with the code `key_expired`; null: never. */
  expires_at?: Moment | null
  /** End the key before this one, if it still works. */
  force?: boolean
}

export type RotateAgentKeyOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type CreateAgentKeyFromConsoleBody = {
  agent_id: string
  label?: string
  guardrails?: {
    /** The key changes nothing. */
    read_only?: boolean
    /** The only calendars of its agent that the key reads and changes. Lists, changes and free time show only these. */
    calendar_ids?: string[]
    /** Of the hours and of the days that are counted; UTC without it. */
    timezone?: string
    /** Events and holds lie within these hours, each occurrence of the first 366 days too. */
    allowed_hours?: {
      mon?: DayHours | ({
        start: string
        end: string
      })[]
      tue?: DayHours | ({
        start: string
        end: string
      })[]
      wed?: DayHours | ({
        start: string
        end: string
      })[]
      thu?: DayHours | ({
        start: string
        end: string
      })[]
      fri?: DayHours | ({
        start: string
        end: string
      })[]
      sat?: DayHours | ({
        start: string
        end: string
      })[]
      sun?: DayHours | ({
        start: string
        end: string
      })[]
    }
    /** The longest event or hold. */
    max_minutes?: number
    /** Events and holds start at most this many days from now, each occurrence of the first 366 days too. */
    max_days_ahead?: number
    /** Events and holds start at least this many minutes from now. */
    min_notice_minutes?: number
    max_hold_priority?: number
    /** Active holds on the calendars of its agent. */
    max_live_holds?: number
    /** As if every change of time had `require_free`. */
    require_free?: boolean
    /** Events that the key creates in a day of `timezone`, and holds that it confirms. */
    max_events_per_day?: number
    /** Holds that the key places in a day of `timezone`. */
    max_holds_per_day?: number
    approval?: {
      /** `all`: every change that an agent key can make. */
      on: "all" | ("event.create" | "event.update" | "event.delete" | "hold.create" | "hold.confirm" | "calendar.update" | "calendar.delete")[]
      expires_in_minutes?: number
      /** `session`: the organization's key or a console session. `link`: also whoever has the address that is mailed to its owner. */
      approver?: "session" | "link"
    }
    /** At least so careful is the key shown text that guests and feeds wrote, on every surface. */
    outside_text?: "fenced" | "hidden"
  } | null
  /** From then on the key is refused with the code `key_expired`; null: never. */
  expires_at?: Moment | null
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
   * `guardrails` limit what the key may do. A request that they forbid is `forbidden` with the code `guardrail`; `guardrail` in the error names the one. `max_events_per_day` and `max_holds_per_day` are `quota_exceeded` with that code.
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
   * All active keys of agents, newest first, in one answer without pages; the organization's own keys are not listed. The audit log names a key by its `key_prefix`.
   *
   * `GET /v1/keys`
   */
  list(options?: ListAgentKeysOptions): Call<{
    keys: ListedApiKey[]
  }> {
    return this.send(operations.listAgentKeys, {}, undefined, options)
  }

  /**
   * Change the label, the guardrails or the end of an agent key.
   *
   * Fields that are left out stay. `guardrails` are replaced as a whole; null removes them, and the end. Every process obeys them from the next request on. A key that was replaced may end earlier, not later.
   *
   * `PATCH /v1/keys/{id}`
   */
  update(id: string, body: UpdateAgentKeyBody, options: UpdateAgentKeyOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateAgentKeyBody, options?: UpdateAgentKeyOptions): Call<ApiKey>
  update(id: string, body: UpdateAgentKeyBody, options?: UpdateAgentKeyOptions): Call<any> {
    return this.send(operations.updateAgentKey, { id }, body, options)
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
   * Rotate an agent key.
   *
   * A new key with the same label and guardrails, and as long a life unless `expires_at` says otherwise. The old one works until `previous_expires_at`; with `overlap_seconds: 0` it ends before this answers, and that is null. While the key before this one still works, `force: true` is needed, which ends it.
   *
   * `POST /v1/keys/{id}/rotate`
   */
  rotate(id: string, body: RotateAgentKeyBody, options: RotateAgentKeyOptions & { dry_run: true }): Call<DryRun>
  rotate(id: string, body: RotateAgentKeyBody, options?: RotateAgentKeyOptions): Call<RotatedApiKey>
  rotate(id: string, body: RotateAgentKeyBody, options?: RotateAgentKeyOptions): Call<any> {
    return this.send(operations.rotateAgentKey, { id }, body, options)
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
