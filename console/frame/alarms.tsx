import { Refused } from '../parts/refused.tsx'
import { alarms } from '../state/notices.ts'
import { useStore } from '../state/useStore.ts'

export const Alarms = () => useStore(alarms).map(({ id, ...refused }) => <Refused key={id} {...refused} />)
