import type { ReactNode } from 'react'
import { type Role, useMay } from '../service/roles.ts'

/** Absent if the role of the person forbids it. Changes of data need a developer. */
export const Allowed = ({ least = 'developer', children }: { least?: Role; children: ReactNode }) =>
  useMay(least) ? children : null
