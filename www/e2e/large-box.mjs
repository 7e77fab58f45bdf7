// What runs in the page for tests and figures of large bodies: a box of tets, and how long the thread of the page was held.

/**
 * Puts `kuhnBox` and `longestGap` on the window; serialised into the page, so it may use nothing from outside.
 */
export function largeTools() {
  /** Six tets per cell (Kuhn 1960), `cells` cells a side of 1 m. */
  window.kuhnBox = (cells) => {
    const side = cells + 1;
    const positions = new Float32Array(3 * side ** 3);
    for (let vertex = 0, place = 0; vertex < side ** 3; vertex++) {
      positions[place++] = (vertex % side) / cells;
      positions[place++] = (Math.floor(vertex / side) % side) / cells;
      positions[place++] = Math.floor(vertex / side ** 2) / cells;
    }
    const steps = [1, side, side ** 2];
    const orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];
    const tets = new Uint32Array(24 * cells ** 3);
    let place = 0;
    for (let z = 0; z < cells; z++)
      for (let y = 0; y < cells; y++)
        for (let x = 0; x < cells; x++) {
          const corner = x + side * (y + side * z);
          orders.forEach(([a, b, c], index) => {
            const path = [corner, corner + steps[a], corner + steps[a] + steps[b], corner + steps[a] + steps[b] + steps[c]];
            // Half of the orders are odd: two corners change places, so that all volumes are positive.
            const [p, q, r, s] = index < 3 ? path : [path[0], path[2], path[1], path[3]];
            tets.set([p, q, r, s], place);
            place += 4;
          });
        }
    return { positions, tets };
  };

  /** Does `work`; its result or error, and the longest times in ms between ticks of a timer and between frames meanwhile. */
  window.longestGap = async (work) => {
    const gaps = { timer: 0, frame: 0 };
    const last = { timer: performance.now(), frame: performance.now() };
    const tick = (name) => {
      const now = performance.now();
      gaps[name] = Math.max(gaps[name], now - last[name]);
      last[name] = now;
    };
    const timer = setInterval(() => tick("timer"), 1);
    let frame = requestAnimationFrame(function again() {
      tick("frame");
      frame = requestAnimationFrame(again);
    });
    const start = performance.now();
    try {
      // A turn of the loop first: what made the input is not counted.
      await new Promise((resolve) => setTimeout(resolve, 50));
      last.timer = last.frame = performance.now();
      gaps.timer = gaps.frame = 0;
      const result = await work().catch((error) => ({ refused: `${error.code}: ${error.message}` }));
      tick("timer");
      return { result, gaps, seconds: (performance.now() - start - 50) / 1e3 };
    } finally {
      clearInterval(timer);
      cancelAnimationFrame(frame);
    }
  };
}
