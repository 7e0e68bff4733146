// The email binding, inside workerd. It sends nothing: each mail becomes a text file and an HTML
// file in the folder of the service `folder`, and a line in the terminal.

/** @typedef {{ from: string, to: string[], subject: string, text: string, html: string }} Mail */

/** @param {{ folder: { fetch(url: string, init: object): Promise<Response> } }} bindings */
function createMail({ folder }) {
  /** @param {string} name @param {string} body */
  const write = async (name, body) => {
    const response = await folder.fetch(`http://mail/${name}`, { method: "PUT", body });
    if (!response.ok) throw new Error(`E_INTERNAL_SERVER_ERROR: status ${response.status}`);
  };
  return {
    /** @param {Mail} mail */
    async send({ from, to, subject, text, html }) {
      const id = crypto.randomUUID();
      await write(
        `${id}.txt`,
        `From: ${from}\nTo: ${to.join(", ")}\nSubject: ${subject}\n\n${text}`,
      );
      await write(`${id}.html`, html);
      console.log(`Mail to ${to.join(", ")}: ${subject} (mail/${id}.txt)`);
      return { messageId: `<${id}@localhost>` };
    },
  };
}

export default createMail;
