// What the page uses of uPlot 1.6.32 is not checked further.
declare const uPlot: any;
