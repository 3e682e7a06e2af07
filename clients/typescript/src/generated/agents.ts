// Made from the API document by `npm run reference`. Do not edit.
import type { Call, PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Agent, AgentSignUp, DryRun } from './schemas.ts'

export type CreateAgentBody = {
  name: string
  type: "ai" | "human" | "resource"
  description?: string
  /** Free key-value pairs, at most 16 KB of JSON. */
  metadata?: Record<string, unknown>
}

export type CreateAgentOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListAgentsOptions = ReadOptions & {
  limit?: number
  offset?: number
  type?: "ai" | "human" | "resource"
  status?: "active" | "paused" | "decommissioned"
  /** A part of the name, in upper or lower case. */
  query?: string
  /** Only these, separated by commas, at most 100. Unknown ones are left out. */
  ids?: string | readonly string[]
}

export type GetAgentOptions = ReadOptions & {
  /** The tag that you have: the answer is `undefined` while it is the current one. */
  ifNoneMatch?: string
}

export type UpdateAgentBody = {
  name?: string
  /** null clears */
  description?: string | null
  /** Replaces the whole object. */
  metadata?: Record<string, unknown>
  status?: "active" | "paused"
}

export type UpdateAgentOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export type DecommissionAgentOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
  /** The tag of the record as you saw it: with another one nothing is changed. */
  ifMatch?: string
}

export type SignUpAgentBody = {
  email: string
  agent_name: string
  tos_version: string
}

export type SignUpAgentOptions = ReadOptions

export type VerifyAgentBody = {
  otp: string
}

export type VerifyAgentOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class AgentsGroup extends Group {
  /**
   * Register an agent.
   *
   * The agent starts as `active` and owns no calendar until you create one for it. Decommissioned agents do not count towards the limit of the plan.
   *
   * `POST /v1/agents`
   */
  create(body: CreateAgentBody, options: CreateAgentOptions & { dry_run: true }): Call<DryRun>
  create(body: CreateAgentBody, options?: CreateAgentOptions): Call<Agent>
  create(body: CreateAgentBody, options?: CreateAgentOptions): Call<any> {
    return this.send(operations.createAgent, {}, body, options)
  }

  /**
   * List agents.
   *
   * Newest first. An agent key sees only its own agent. `total` counts all matches, not just this page.
   *
   * `GET /v1/agents`
   */
  list(options?: ListAgentsOptions): PagedCall<Agent, {
    data: Agent[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listAgents, {}, undefined, options)
  }

  /**
   * Read an agent.
   *
   * A decommissioned agent can still be read. An agent key reads only its own agent; any other is `forbidden`.
   *
   * `GET /v1/agents/{id}`
   */
  get(id: string, options: GetAgentOptions & { ifNoneMatch: string }): Call<Agent | undefined>
  get(id: string, options?: GetAgentOptions): Call<Agent>
  get(id: string, options?: GetAgentOptions): Call<any> {
    return this.send(operations.getAgent, { id }, undefined, options)
  }

  /**
   * Change an agent.
   *
   * Fields that are left out stay; `metadata` is replaced as a whole. `paused` refuses writes with the agent's own keys and blocks nothing else. A decommissioned agent cannot be changed (`conflict`).
   *
   * `PATCH /v1/agents/{id}`
   */
  update(id: string, body: UpdateAgentBody, options: UpdateAgentOptions & { dry_run: true }): Call<DryRun>
  update(id: string, body: UpdateAgentBody, options?: UpdateAgentOptions): Call<Agent>
  update(id: string, body: UpdateAgentBody, options?: UpdateAgentOptions): Call<any> {
    return this.send(operations.updateAgent, { id }, body, options)
  }

  /**
   * Decommission an agent.
   *
   * Irreversible. The agent, its calendars and its events stay readable. Its keys stop working at once, its iCal subscriptions pause, and nothing more can be written for it. No webhook event is sent.
   *
   * `DELETE /v1/agents/{id}`
   */
  decommission(id: string, options: DecommissionAgentOptions & { dry_run: true }): Call<DryRun>
  decommission(id: string, options?: DecommissionAgentOptions): Call<void>
  decommission(id: string, options?: DecommissionAgentOptions): Call<any> {
    return this.send(operations.decommissionAgent, { id }, undefined, options)
  }

  /**
   * Sign up as an agent.
   *
   * Creates an organization with one agent and a key in the sandbox (10 events a month, one calendar), and mails a code that lifts its limits. For an address that is already known, the answer has only `message`; if it was never verified, a fresh code is mailed.
   *
   * `POST /v1/agent/sign-up`
   */
  signUp(body: SignUpAgentBody, options?: SignUpAgentOptions): Call<AgentSignUp> {
    return this.send(operations.signUpAgent, {}, body, options)
  }

  /**
   * Lift the limits of the sandbox.
   *
   * Use the key of the sign-up, which stays the same. A code works for 10 minutes and 10 attempts; the answer does not say why a code is wrong. Signing up again with the same address mails a fresh code.
   *
   * `POST /v1/agent/verify`
   */
  verify(body: VerifyAgentBody, options: VerifyAgentOptions & { dry_run: true }): Call<DryRun>
  verify(body: VerifyAgentBody, options?: VerifyAgentOptions): Call<{
    verified: true
    message: string
  }>
  verify(body: VerifyAgentBody, options?: VerifyAgentOptions): Call<any> {
    return this.send(operations.verifyAgent, {}, body, options)
  }
}
