// Reads the header `Errata-Outcome`, for the tools that send reports.

/** The members of the header: `accepted;item="event";id="…";digest="…";duplicate`. */
export function parseOutcomes(header: string) {
  return header
    .split(", ")
    .filter(Boolean)
    .map((member) => {
      const [outcome = "", ...parameters] = member.split(";");
      const value = (name: string) =>
        parameters
          .find((parameter) => parameter.startsWith(`${name}=`))
          ?.slice(name.length + 1)
          .replace(/"/g, "") ?? "";
      const isDuplicate = parameters.includes("duplicate");
      return {
        outcome,
        item: value("item"),
        id: value("id"),
        digest: value("digest"),
        isDuplicate,
      };
    });
}
