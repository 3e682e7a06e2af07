import { news, showNew } from '../service/live.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'

/** Offered when others have changed what a table shows. */
export function ShowNew({ noun }: { noun: string }) {
  const has = useStore(news).has(noun)
  return has ? (
    <button type="button" className="quiet" onClick={() => showNew(noun)}>
      {texts.showNew}
    </button>
  ) : null
}
