import { texts } from '../../texts.ts'

export const agentTypes = [
  { value: 'ai', label: texts.ai },
  { value: 'human', label: texts.human },
  { value: 'resource', label: texts.resource },
] as const

export const typeName = (type: string): string => agentTypes.find(({ value }) => value === type)?.label ?? type
