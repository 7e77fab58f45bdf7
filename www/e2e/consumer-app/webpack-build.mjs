// Builds mesh-page.js with webpack's defaults for the public path in the first argument; fails on any warning.
import webpack from "webpack";

webpack(
  {
    mode: "production",
    entry: "./mesh-page.js",
    output: { path: new URL("dist-webpack/", import.meta.url).pathname, publicPath: process.argv[2] },
    // The sizes of the .wasm files are no news.
    performance: { hints: false },
  },
  (error, stats) => {
    if (error) throw error;
    if (stats.hasErrors() || stats.hasWarnings()) {
      console.error(stats.toString({ colors: false }));
      process.exit(1);
    }
  },
);
