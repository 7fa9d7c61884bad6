// Time zones by the rules that hold today: enough for the dates that scripts print, wrong for those before a rule.
() => {
  // Minutes from UTC in winter, the rule for summer, and the names.
  const ZONES = {
    UTC: [0, "", "UTC", "Coordinated Universal Time"],
    "America/New_York": [-300, "US", "ET", "Eastern"],
    "America/Toronto": [-300, "US", "ET", "Eastern"],
    "America/Detroit": [-300, "US", "ET", "Eastern"],
    "America/Chicago": [-360, "US", "CT", "Central"],
    "America/Denver": [-420, "US", "MT", "Mountain"],
    "America/Phoenix": [-420, "", "MST", "Mountain"],
    "America/Los_Angeles": [-480, "US", "PT", "Pacific"],
    "America/Vancouver": [-480, "US", "PT", "Pacific"],
    "America/Anchorage": [-540, "US", "AKT", "Alaska"],
    "Pacific/Honolulu": [-600, "", "HST", "Hawaii-Aleutian"],
    "America/Halifax": [-240, "US", "AT", "Atlantic"],
    "America/Sao_Paulo": [-180, "", "", "Brasilia"],
    "America/Argentina/Buenos_Aires": [-180, "", "", "Argentina"],
    "America/Bogota": [-300, "", "", "Colombia"],
    "America/Mexico_City": [-360, "", "CST", "Central"],
    "America/Lima": [-300, "", "", "Peru"],
    "Europe/London": [0, "EU", "", "Greenwich Mean Time"],
    "Europe/Dublin": [0, "EU", "", "Greenwich Mean Time"],
    "Europe/Lisbon": [0, "EU", "", "Western European"],
    "Atlantic/Reykjavik": [0, "", "GMT", "Greenwich Mean Time"],
    "Africa/Cairo": [120, "", "", "Eastern European"],
    "Africa/Johannesburg": [120, "", "", "South Africa"],
    "Africa/Lagos": [60, "", "", "West Africa"],
    "Africa/Nairobi": [180, "", "", "East Africa"],
    "Europe/Moscow": [180, "", "", "Moscow"],
    "Europe/Istanbul": [180, "", "", "Türkiye"],
    "Asia/Dubai": [240, "", "", "Gulf"],
    "Asia/Karachi": [300, "", "", "Pakistan"],
    "Asia/Kolkata": [330, "", "", "India"],
    "Asia/Calcutta": [330, "", "", "India"],
    "Asia/Dhaka": [360, "", "", "Bangladesh"],
    "Asia/Bangkok": [420, "", "", "Indochina"],
    "Asia/Jakarta": [420, "", "", "Western Indonesia"],
    "Asia/Ho_Chi_Minh": [420, "", "", "Indochina"],
    "Asia/Shanghai": [480, "", "", "China"],
    "Asia/Hong_Kong": [480, "", "", "Hong Kong"],
    "Asia/Singapore": [480, "", "", "Singapore"],
    "Asia/Taipei": [480, "", "", "Taipei"],
    "Asia/Manila": [480, "", "", "Philippine"],
    "Australia/Perth": [480, "", "", "Australian Western"],
    "Asia/Tokyo": [540, "", "", "Japan"],
    "Asia/Seoul": [540, "", "", "Korean"],
    "Australia/Brisbane": [600, "", "", "Australian Eastern"],
    "Australia/Sydney": [600, "AU", "", "Australian Eastern"],
    "Australia/Melbourne": [600, "AU", "", "Australian Eastern"],
    "Australia/Adelaide": [570, "AU", "", "Australian Central"],
    "Pacific/Auckland": [720, "NZ", "", "New Zealand"],
  };
  for (const city of [
    "Berlin",
    "Paris",
    "Madrid",
    "Rome",
    "Amsterdam",
    "Brussels",
    "Vienna",
    "Zurich",
    "Stockholm",
    "Oslo",
    "Copenhagen",
    "Prague",
    "Warsaw",
    "Budapest",
    "Belgrade",
  ])
    ZONES[`Europe/${city}`] = [60, "EU", "", "Central European"];
  for (const city of ["Athens", "Helsinki", "Kyiv", "Kiev", "Bucharest", "Sofia", "Vilnius", "Riga", "Tallinn"])
    ZONES[`Europe/${city}`] = [120, "EU", "", "Eastern European"];
  for (const alias of ["Etc/UTC", "Etc/GMT", "GMT", "Z", "Etc/UCT", "Zulu"]) ZONES[alias] = ZONES.UTC;

  // The nth Sunday of a month, or the last one; midnight UTC.
  const sunday = (year, month, nth) => {
    if (nth > 0) {
      const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
      return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (nth - 1));
    }
    const last = new Date(Date.UTC(year, month + 1, 0));
    return Date.UTC(year, month + 1, -last.getUTCDay());
  };
  const HOUR = 3_600_000;
  // Whether summer time holds at a moment.
  const SUMMER = {
    "": () => false,
    US: (time, year, offset) =>
      time >= sunday(year, 2, 2) + 2 * HOUR - offset * 60_000 && time < sunday(year, 10, 1) + HOUR - offset * 60_000,
    EU: (time, year) => time >= sunday(year, 2, 0) + HOUR && time < sunday(year, 9, 0) + HOUR,
    AU: (time, year, offset) =>
      !(
        time >= sunday(year, 3, 1) + 2 * HOUR - offset * 60_000 &&
        time < sunday(year, 9, 1) + 2 * HOUR - offset * 60_000
      ),
    NZ: (time, year, offset) =>
      !(
        time >= sunday(year, 3, 1) + 2 * HOUR - offset * 60_000 &&
        time < sunday(year, 8, 0) + 2 * HOUR - offset * 60_000
      ),
  };

  class TimeZone {
    constructor(name) {
      const fixed = /^([+-])(\d\d):?(\d\d)?$/.exec(name);
      const key = Object.keys(ZONES).find((zone) => zone.toLowerCase() === name.toLowerCase());
      if (!fixed && key === undefined) throw new RangeError(`Invalid time zone specified: ${name}`);
      this.id = fixed ? `${fixed[1]}${fixed[2]}:${fixed[3] ?? "00"}` : ZONES[key] === ZONES.UTC ? "UTC" : key;
      this.zone = fixed
        ? [(fixed[1] === "-" ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3] ?? 0)), "", "", ""]
        : ZONES[key];
    }
    summer(time) {
      const [offset, rule] = this.zone;
      return SUMMER[rule](time, new Date(time + offset * 60_000).getUTCFullYear(), offset);
    }
    /** Minutes that are added to UTC. */
    offset(time) {
      return this.zone[0] + (this.summer(time) ? 60 : 0);
    }
    name(time, style) {
      const [, rule, short, long] = this.zone;
      const summer = this.summer(time);
      const offset = this.offset(time);
      const sign = offset < 0 ? "-" : "+";
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
      if (style === "longOffset")
        return offset === 0 ? "GMT" : `GMT${sign}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
      const plain = offset === 0 ? "GMT" : `GMT${sign}${hours}${minutes ? `:${String(minutes).padStart(2, "0")}` : ""}`;
      if (this.id === "UTC") return style === "long" ? long : "UTC";
      if (style === "shortOffset" || long === "") return plain;
      if (style === "long") {
        if (long === "Greenwich Mean Time")
          return summer ? (this.id === "Europe/Dublin" ? "Irish Standard Time" : "British Summer Time") : long;
        const european = long.endsWith("European");
        return `${long} ${summer ? (european ? "Summer" : "Daylight") : "Standard"} Time`;
      }
      if (style === "longGeneric") return `${long} Time`;
      if (style === "shortGeneric" && short) return short;
      if (rule === "US") return short.replace("T", summer ? "DT" : "ST");
      return short || plain;
    }
  }
  return { TimeZone };
};
