import { isPaid, type PlanId } from '../plans/plans.ts'
import { hourMs } from '../shapes/durations.ts'

const freeHours = 24
const paidHours = 168

export const retentionHours = (plan: PlanId): number => (isPaid(plan) ? paidHours : freeHours)

/** The longest time for which a request is kept. */
export const maxRetentionMs = paidHours * hourMs

export const keptUntil = (plan: PlanId, at: Date): Date => new Date(at.getTime() + retentionHours(plan) * hourMs)

export const keptSince = (plan: PlanId, now: Date): Date => new Date(now.getTime() - retentionHours(plan) * hourMs)

/** Failed authentication and throttling are in the audit log. */
const inAuditLog = [401, 429]

export const isRecorded = (status: number): boolean => status >= 400 && status < 500 && !inAuditLog.includes(status)
