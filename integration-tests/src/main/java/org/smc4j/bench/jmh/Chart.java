package org.smc4j.bench.jmh;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.File;
import java.io.IOException;
import java.text.DecimalFormat;
import java.util.Collection;
import java.util.List;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.openjdk.jmh.results.RunResult;

/** Draws the results by message size: one colour per API, TCP dashed and SMC solid, both axes logarithmic. */
final class Chart {
    private static final int WIDTH = 1100;
    private static final int HEIGHT = 1000;
    private static final List<String> APIS = List.of("channel", "socket", "selector", "virtual");
    private static final List<Color> COLOURS = List.of(new Color(0x1f77b4), new Color(0xd62728), new Color(0x2ca02c),
        new Color(0x9467bd));
    private static final BasicStroke SOLID = new BasicStroke(2.5f);
    private static final BasicStroke DASHED =
        new BasicStroke(2.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {7, 5}, 0);

    private Chart() {
    }

    /** Writes a PNG. */
    static void write(Collection<RunResult> results, List<String> transports, File file) throws IOException {
        final LogAxis sizes = axis("message size, bytes");
        final CombinedDomainXYPlot both = new CombinedDomainXYPlot(sizes);
        final XYPlot roundTrip = plot(results, transports, RoundTripBenchmark.class, "round trip, us, median");
        final XYPlot oneWay = plot(results, transports, OneWayBenchmark.class, "one way, MiB/s");
        both.add(roundTrip);
        both.add(oneWay);
        if (roundTrip.getSeriesCount() > 0) {
            // Both plots have the same lines: one legend will do.
            oneWay.setFixedLegendItems(new LegendItemCollection());
        }
        final JFreeChart chart = new JFreeChart(String.join(" and ", transports) + " by message size", both);
        ChartUtils.saveChartAsPNG(file, chart, WIDTH, HEIGHT);
    }

    private static LogAxis axis(String label) {
        final LogAxis axis = new LogAxis(label);
        axis.setBase(2);
        axis.setNumberFormatOverride(new DecimalFormat("#,##0.##"));
        return axis;
    }

    private static XYPlot plot(Collection<RunResult> results, List<String> transports, Class<?> benchmark,
                               String label) {
        final XYSeriesCollection lines = new XYSeriesCollection();
        final XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
        for (String api : APIS) {
            for (String transport : transports) {
                final XYSeries line = new XYSeries(api + " " + transport);
                for (RunResult result : results) {
                    if (result.getParams().getBenchmark().startsWith(benchmark.getName() + ".")
                        && result.getParams().getParam("api").equals(api)
                        && result.getParams().getParam("transport").equals(transport)) {
                        line.add(Integer.parseInt(result.getParams().getParam("size")),
                            result.getPrimaryResult().getStatistics().getPercentile(50));
                    }
                }
                if (!line.isEmpty()) {
                    final int index = lines.getSeriesCount();
                    lines.addSeries(line);
                    renderer.setSeriesPaint(index, COLOURS.get(APIS.indexOf(api)));
                    renderer.setSeriesStroke(index, transport.equals(transports.getFirst()) ? DASHED : SOLID);
                }
            }
        }
        final XYPlot plot = new XYPlot(lines, null, axis(label), renderer);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
        plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
        return plot;
    }
}
