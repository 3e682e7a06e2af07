import { Filter, Radios } from '../../parts/fields.tsx'
import { optionsOf } from '../../parts/options.ts'
import { PickerFilter } from '../../parts/pickerFilter.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Switch } from '../../parts/switch.tsx'
import { zones } from '../../parts/zones.ts'
import { type Settings as Chosen, choose, settings } from '../../state/settings.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'

export function Settings() {
  const chosen = useStore(settings)
  return (
    <Screen heading={texts.settings}>
      <div className="card stack">
        <p className="muted">{texts.settingsHint}</p>
        <Radios
          label={texts.theme}
          options={optionsOf(texts.themes)}
          value={chosen.theme}
          choose={(theme) => choose({ theme: theme as Chosen['theme'] })}
        />
        <Radios
          label={texts.weekStart}
          options={optionsOf(texts.weekStarts)}
          value={chosen.weekStart}
          choose={(weekStart) => choose({ weekStart: weekStart as Chosen['weekStart'] })}
        />
        <Radios
          label={texts.clock}
          options={optionsOf(texts.clocks).reverse()}
          value={chosen.clock}
          choose={(clock) => choose({ clock: clock as Chosen['clock'] })}
        />
        <PickerFilter
          label={texts.timezone}
          options={zones}
          value={chosen.timezone}
          choose={(timezone) => timezone && choose({ timezone })}
        />
        <PickerFilter
          label={texts.secondTimezone}
          options={zones}
          value={chosen.secondTimezone}
          choose={(secondTimezone = '') => choose({ secondTimezone })}
        />
        <Filter label={texts.language} value="en" options={[{ value: 'en', label: 'English' }]} choose={() => {}} />
        <Switch
          label={texts.singleKeys}
          isOn={chosen.singleKeys}
          least="viewer"
          turn={async (singleKeys) => choose({ singleKeys })}
        />
      </div>
    </Screen>
  )
}
